// A table, as `ciber train` takes it: whatever column is the target, a schema that is found reads
// the rows of the same table.

#include "frontends/data/schema.h"
#include "tests/fuzz/target.h"

using namespace wmi;
using namespace wmi::frontends;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Table table;
  try {
    table = parse_table(fuzz::text(data, size), "input");
  } catch (const Error&) {
    return 0;
  }
  fuzz::require(table.cells.size() == table.rows() * table.columns.size(), "rows are full");
  fuzz::require(data_hash(table) == data_hash(table), "a hash is a function");
  for (std::size_t i = 0; i < table.columns.size() && i < 4; ++i)
    for (const LearningTask task : {LearningTask::automatic, LearningTask::classification}) {
      Schema schema;
      try {
        schema = fit_schema(table, table.columns[i], task);
      } catch (const Error&) {
        continue;
      }
      const bnn::Dataset rows = to_dataset(table, schema);
      fuzz::require(rows.rows() == table.rows() &&
                        rows.inputs.columns == input_names(schema).size() &&
                        rows.inputs.entries.size() == rows.rows() * rows.inputs.columns,
                    "a table fits the schema that was made of it");
    }
  return 0;
}
