// Taking the date out of a PDF's information dictionary, and writing the file's objects as qpdf orders them.
#include "experiments/driver/text/reproducible_pdf.hpp"

#define POINTERHOLDER_TRANSITION 4  // std::shared_ptr for qpdf 11's own pointers, of which it warns otherwise
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFWriter.hh>

namespace nowsim {

std::string without_date(std::string bytes) {
  if (!bytes.starts_with("%PDF-") || !bytes.ends_with("%%EOF\n")) return bytes;
  try {
    QPDF pdf;
    pdf.setSuppressWarnings(true);
    pdf.setAttemptRecovery(false);
    pdf.processMemoryFile("picture", bytes.data(), bytes.size());
    if (QPDFObjectHandle about = pdf.getTrailer().getKey("/Info"); about.isDictionary()) about.removeKey("/CreationDate");
    QPDFWriter writer(pdf);
    writer.setOutputMemory();
    writer.setDeterministicID(true);
    writer.setObjectStreamMode(qpdf_o_disable);  // else what a page's size is cannot be read in the file
    writer.write();
    const auto written = writer.getBufferSharedPointer();
    return {reinterpret_cast<const char*>(written->getBuffer()), written->getSize()};
  } catch (const std::exception&) {  // not a PDF, or a damaged one
    return bytes;
  }
}

}  // namespace nowsim
