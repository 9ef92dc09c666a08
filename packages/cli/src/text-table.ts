/** Columns padded to their widest cell, two spaces apart, as kubectl prints. */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const all = [header, ...rows];
  const widths = header.map((_, column) =>
    Math.max(...all.map((row) => [...(row[column] ?? '')].length)),
  );
  return all.map((row) =>
    row
      .map(
        (cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length)),
      )
      .join('   ')
      .trimEnd(),
  );
}
