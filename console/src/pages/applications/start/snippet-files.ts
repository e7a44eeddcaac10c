/** The code of the list of frameworks, loaded when it is shown. */
import { useQuery } from '@tanstack/react-query'
import { codeOf, FRAMEWORKS, type FrameworkName } from '../../../../../packages/create/frameworks/index.ts'

const FOLDER = '../../../../../packages/create/frameworks'
const FILES = import.meta.glob<string>('../../../../../packages/create/frameworks/*/files/**/*', {
  query: '?raw',
  import: 'default',
})

export interface SnippetFile {
  /** The path in the project of the reader. */
  readonly name: string
  readonly code: string
}

/** The files of a framework, once they are there. */
export function useSnippetFiles(framework: FrameworkName): readonly SnippetFile[] {
  const read = async (name: string): Promise<SnippetFile> => {
    const load = FILES[`${FOLDER}/${framework}/files/${name}`]
    if (load === undefined) throw new Error(`There is no file ${name} for ${framework}.`)
    return { name, code: codeOf(await load()) }
  }
  const { data } = useQuery({
    queryKey: ['snippets', framework],
    queryFn: () => Promise.all(FRAMEWORKS[framework].files.map(read)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? []
}
