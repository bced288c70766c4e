#pragma once
/// The functions of FFmpeg's libraries that sunder calls. The libraries are loaded at the first
/// call of one of them (io/files/delayed_library.hpp). A function that is not listed here does not
/// link.

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/crc.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include "io/files/delayed_library.hpp"

namespace sunder {

inline constexpr DelayedLibrary avutil_library(
    "libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR), "videos");
inline constexpr DelayedLibrary avcodec_library(
    "libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR), "videos");
inline constexpr DelayedLibrary avformat_library(
    "libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR), "videos");
inline constexpr DelayedLibrary swscale_library(
    "libswscale.so." AV_STRINGIFY(LIBSWSCALE_VERSION_MAJOR), "videos");

// What the compiler is told of some of them beside the type, as that their result must be looked
// at, is not kept.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"

SUNDER_DELAYED(avutil_library, av_crc);
SUNDER_DELAYED(avutil_library, av_crc_get_table);
SUNDER_DELAYED(avutil_library, av_d2q);
SUNDER_DELAYED(avutil_library, av_dict_free);
SUNDER_DELAYED(avutil_library, av_dict_set);
SUNDER_DELAYED(avutil_library, av_frame_alloc);
SUNDER_DELAYED(avutil_library, av_frame_free);
SUNDER_DELAYED(avutil_library, av_frame_get_buffer);
SUNDER_DELAYED(avutil_library, av_frame_make_writable);
SUNDER_DELAYED(avutil_library, av_frame_ref);
SUNDER_DELAYED(avutil_library, av_frame_unref);
SUNDER_DELAYED(avutil_library, av_freep);
SUNDER_DELAYED(avutil_library, av_get_pix_fmt);
SUNDER_DELAYED(avutil_library, av_image_check_size);
SUNDER_DELAYED(avutil_library, av_image_copy_plane);
SUNDER_DELAYED(avutil_library, av_image_fill_arrays);
SUNDER_DELAYED(avutil_library, av_image_get_buffer_size);
SUNDER_DELAYED(avutil_library, av_log_set_level);
SUNDER_DELAYED(avutil_library, av_malloc);
SUNDER_DELAYED(avutil_library, av_max_alloc);
SUNDER_DELAYED(avutil_library, av_pix_fmt_desc_get);
SUNDER_DELAYED(avutil_library, av_strerror);
SUNDER_DELAYED(avutil_library, av_version_info);

SUNDER_DELAYED(avcodec_library, av_packet_alloc);
SUNDER_DELAYED(avcodec_library, av_packet_free);
SUNDER_DELAYED(avcodec_library, av_packet_rescale_ts);
SUNDER_DELAYED(avcodec_library, av_packet_unref);
SUNDER_DELAYED(avcodec_library, avcodec_alloc_context3);
SUNDER_DELAYED(avcodec_library, avcodec_descriptor_get);
SUNDER_DELAYED(avcodec_library, avcodec_find_decoder);
SUNDER_DELAYED(avcodec_library, avcodec_find_encoder);
SUNDER_DELAYED(avcodec_library, avcodec_find_encoder_by_name);
SUNDER_DELAYED(avcodec_library, avcodec_free_context);
SUNDER_DELAYED(avcodec_library, avcodec_get_name);
SUNDER_DELAYED(avcodec_library, avcodec_open2);
SUNDER_DELAYED(avcodec_library, avcodec_parameters_from_context);
SUNDER_DELAYED(avcodec_library, avcodec_parameters_to_context);
SUNDER_DELAYED(avcodec_library, avcodec_receive_frame);
SUNDER_DELAYED(avcodec_library, avcodec_receive_packet);
SUNDER_DELAYED(avcodec_library, avcodec_send_frame);
SUNDER_DELAYED(avcodec_library, avcodec_send_packet);

SUNDER_DELAYED(avformat_library, av_find_best_stream);
SUNDER_DELAYED(avformat_library, av_find_input_format);
SUNDER_DELAYED(avformat_library, av_interleaved_write_frame);
SUNDER_DELAYED(avformat_library, av_read_frame);
SUNDER_DELAYED(avformat_library, av_write_trailer);
SUNDER_DELAYED(avformat_library, avformat_alloc_context);
SUNDER_DELAYED(avformat_library, avformat_alloc_output_context2);
SUNDER_DELAYED(avformat_library, avformat_close_input);
SUNDER_DELAYED(avformat_library, avformat_find_stream_info);
SUNDER_DELAYED(avformat_library, avformat_free_context);
SUNDER_DELAYED(avformat_library, avformat_new_stream);
SUNDER_DELAYED(avformat_library, avformat_open_input);
SUNDER_DELAYED(avformat_library, avformat_write_header);
SUNDER_DELAYED(avformat_library, avio_alloc_context);
SUNDER_DELAYED(avformat_library, avio_context_free);
SUNDER_DELAYED(avformat_library, avio_flush);

SUNDER_DELAYED(swscale_library, sws_freeContext);
SUNDER_DELAYED(swscale_library, sws_getCachedContext);
SUNDER_DELAYED(swscale_library, sws_getCoefficients);
SUNDER_DELAYED(swscale_library, sws_isSupportedInput);
SUNDER_DELAYED(swscale_library, sws_scale);
SUNDER_DELAYED(swscale_library, sws_setColorspaceDetails);

#pragma GCC diagnostic pop

}  // namespace sunder
