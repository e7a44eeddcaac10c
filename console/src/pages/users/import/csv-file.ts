/** A CSV file that was chosen, looked at and turned into the lines that the server takes. */
import { linesForImport, type Preview, previewUsers } from '../../../../../src/kernel/csv/read-users.ts'
import type { ImportOptions } from './run-import.ts'

/** Whether a file is CSV, by its name. */
export function isCsv({ name }: Pick<File, 'name'>): boolean {
  return /\.csv$/i.test(name)
}

// The types of the DOM do not know that a stream can be iterated.
function piecesOf(file: Blob): AsyncIterable<Uint8Array> {
  return file.stream() as unknown as AsyncIterable<Uint8Array>
}

/** What the file would bring. Throws `HeaderRefused`. */
export function previewOf(file: Blob): Promise<Preview> {
  return previewUsers(piecesOf(file))
}

/** The file as lines for the import, made while they are sent. */
export function linesOfCsv(file: Blob): ImportOptions['file'] {
  return {
    size: file.size,
    stream() {
      const lines = linesForImport(piecesOf(file))
      const encoder = new TextEncoder()
      return new ReadableStream<Uint8Array<ArrayBuffer>>({
        async pull(controller) {
          const { value, done } = await lines.next()
          if (done === true) controller.close()
          else controller.enqueue(encoder.encode(value))
        },
      })
    },
  }
}
