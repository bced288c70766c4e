import sys

import sunder

tensor, checkpoint, output = sys.argv[1:]
result = sunder.decompose(tensor, rank=5, memory="500M", checkpoint=checkpoint, output=output)
print(f"{result.folder}: {result.outcome}, certified {result.certificate.level}")
