/** What the search finds. */
import type { IconName } from '../../parts/icon-paths.ts'
import type { ShellTexts } from '../texts/en.ts'

export type FoundGroup = Exclude<keyof ShellTexts['search']['groups'], 'recent'>

export interface Found {
  /** Different for everything that can be found. */
  readonly key: string
  readonly group: FoundGroup
  readonly label: string
  /** What tells it from others of the same name. */
  readonly detail: string
  readonly icon: IconName
  /** Its address in the console. */
  readonly to: string
  /** The section of the page. */
  readonly anchor?: string
}

/** Small letters without accents: "Clés" is found by "cles". */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
}

/** How well a name matches: 2 when it begins with the text, 1 when it contains every word of it, 0 when it does not. */
export function rankOf(name: string, text: string): 0 | 1 | 2 {
  const [has, wanted] = [plain(name), plain(text).trim()]
  if (wanted === '') return 0
  if (has.startsWith(wanted)) return 2
  return wanted.split(/\s+/).every((word) => has.includes(word)) ? 1 : 0
}
