/** How a reader of another product becomes a command: `signet import zitadel …`. */
import type { Draft } from '../../module/carried.ts'
import type { Source } from './draft.ts'

export interface SourceCommand {
  /** The name of the command: `zitadel`. */
  readonly name: string
  readonly description: string
  /** Arguments and options as commander writes them: `['<url>', 'postgres://…']`. */
  readonly arguments: readonly (readonly [name: string, description: string])[]
  readonly options: readonly (readonly [flags: string, description: string])[]
  /** Whether it keeps changing while it is read: `--follow`, `--cut-over`. */
  readonly canFollow?: boolean
  /** Opens the source; throws with a sentence for the operator when it cannot. */
  open(args: readonly string[], options: Readonly<Record<string, string | boolean | undefined>>): Promise<Source<Draft>>
}
