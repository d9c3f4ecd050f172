// Taking the date out of a PDF's information dictionary, and writing the file's objects as qpdf orders them.
#include "experiments/driver/text/reproducible_pdf.hpp"

#include <qpdf/qpdf-c.h>

#include <memory>

namespace nowsim {

std::string without_date(std::string bytes) {
  if (!bytes.starts_with("%PDF-") || !bytes.ends_with("%%EOF\n")) return bytes;
  const std::unique_ptr<_qpdf_data, void (*)(qpdf_data)> pdf(qpdf_init(), [](qpdf_data data) { qpdf_cleanup(&data); });
  const auto failed = [&](QPDF_ERROR_CODE code) {
    if ((code & QPDF_ERRORS) == 0) return false;
    qpdf_get_error(pdf.get());  // else it would be told on the error stream
    return true;
  };
  qpdf_set_suppress_warnings(pdf.get(), QPDF_TRUE);
  qpdf_set_attempt_recovery(pdf.get(), QPDF_FALSE);
  if (failed(qpdf_read_memory(pdf.get(), "picture", bytes.data(), bytes.size(), nullptr))) return bytes;
  qpdf_set_info_key(pdf.get(), "/CreationDate", nullptr);
  if (failed(qpdf_init_write_memory(pdf.get()))) return bytes;
  qpdf_set_deterministic_ID(pdf.get(), QPDF_TRUE);
  qpdf_set_object_stream_mode(pdf.get(), qpdf_o_disable);  // else a page's size cannot be read in the file
  if (failed(qpdf_write(pdf.get()))) return bytes;
  return {reinterpret_cast<const char*>(qpdf_get_buffer(pdf.get())), qpdf_get_buffer_length(pdf.get())};
}

}  // namespace nowsim
