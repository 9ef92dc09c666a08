/** How messages name a file that is to be read: `-` is the standard input. */
export function inputName(file: string): string {
  return file === '-' ? '<stdin>' : file;
}
