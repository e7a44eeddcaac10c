/** The code of `examples/snippets`, loaded when it is shown. */
import { useQuery } from '@tanstack/react-query'

const FILES = import.meta.glob<string>('../../../../../examples/snippets/**/*', { query: '?raw', import: 'default' })
const FOLDER = '../../../../../examples/snippets/'

export interface SnippetFile {
  /** The path in the project of the reader. */
  readonly name: string
  readonly code: string
}

async function read(path: string): Promise<SnippetFile> {
  const load = FILES[`${FOLDER}${path}`]
  if (load === undefined) throw new Error(`There is no snippet ${path}.`)
  // Comments for our own checks are of no use to the reader.
  const code = (await load()).replaceAll(/^.*biome-ignore.*\n/gm, '').trimEnd()
  return { name: path.replace(/^[^/]+\//, ''), code }
}

/** The files, once they are there. */
export function useSnippetFiles(paths: readonly string[]): readonly SnippetFile[] {
  const { data } = useQuery({
    queryKey: ['snippets', ...paths],
    queryFn: () => Promise.all(paths.map(read)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? []
}
