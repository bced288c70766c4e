"""Worker processes that can be killed: a run that takes too long, or crashes, costs its own process only."""
import ctypes
import multiprocessing
import multiprocessing.connection
import os
import signal
import time

CONTEXT = multiprocessing.get_context("fork")


def serve(pipe, other_end):
    other_end.close()  # so that the end of the campaign, however it comes, is the end of the pipe
    os.setsid()  # with a group of its own, a worker is ended together with the commands that it started
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG: a worker does not outlive the campaign
    from falsify_run import evaluate
    while True:
        genome = pipe.recv()
        if genome is None:
            return
        try:
            pipe.send(evaluate(genome))
        except Exception as problem:  # noqa: BLE001  (a mistake of the campaign itself must not stop it)
            pipe.send({"status": "failed", "message": f"{type(problem).__name__}: {problem}"[:300], "score": 0.0})


class Worker:
    def __init__(self):
        self.pipe, end = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=serve, args=(end, self.pipe), daemon=True)
        self.process.start()
        end.close()
        self.job, self.since = None, 0.0

    def give(self, job):
        self.job, self.since = job, time.monotonic()
        self.pipe.send(job["genome"])

    def stop(self):
        """Ends the worker and what it has started, gently at first, so that mpirun can end its processes."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, sign)
            except (ProcessLookupError, PermissionError):
                self.process.kill()
            self.process.join(2)
        self.pipe.close()

    def dismiss(self):
        try:
            self.pipe.send(None)
        except OSError:
            pass
        self.process.join(2)
        if self.process.is_alive():
            self.stop()


class Crew:
    """Evaluates jobs, which are dictionaries with a genome, on some workers."""

    def __init__(self, count, timeout):
        self.workers, self.timeout = [Worker() for _ in range(count)], timeout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for worker in self.workers:
            worker.stop() if worker.job else worker.dismiss()

    def evaluate(self, jobs):
        """Yields each job with its result, in the order of their ends."""
        waiting = list(jobs)[::-1]
        while waiting or any(worker.job for worker in self.workers):
            for worker in self.workers:
                if waiting and not worker.job:
                    worker.give(waiting.pop())
            busy = {worker.pipe: index for index, worker in enumerate(self.workers) if worker.job}
            for pipe in multiprocessing.connection.wait(list(busy), timeout=0.5):
                yield self.collect(busy[pipe])
            for index, worker in enumerate(self.workers):
                if worker.job and time.monotonic() - worker.since > self.timeout:
                    yield self.replace(index, "timed out")

    def collect(self, index):
        worker = self.workers[index]
        try:
            result = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            return self.replace(index, "crashed")
        job, worker.job = worker.job, None
        return job, result

    def replace(self, index, status):
        worker = self.workers[index]
        job = worker.job
        worker.stop()
        seconds = round(time.monotonic() - worker.since, 3)
        message = f"exit code {worker.process.exitcode}"
        self.workers[index] = Worker()
        return job, {"status": status, "message": message, "seconds": seconds, "score": 0.0}
