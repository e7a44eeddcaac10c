/** The file, or a smaller picture of it where it has more bytes. */
export function shrunk(file: File, maxBytes: number): Promise<File>
