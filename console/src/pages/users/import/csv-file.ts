/** A CSV file that was chosen, looked at and turned into the lines that the server takes. */
import type { ColumnMapping } from '../../../../../src/kernel/csv/column-mapping.ts'
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
export function previewOf(file: Blob, mapping?: ColumnMapping): Promise<Preview> {
  return previewUsers(piecesOf(file), mapping)
}

/** The file as lines for the import, made while they are sent. */
export function linesOfCsv(file: Blob, mapping?: ColumnMapping): ImportOptions['file'] {
  return {
    size: file.size,
    stream() {
      const lines = linesForImport(piecesOf(file), mapping)
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
