/** The products that can be moved from. A reader adds one line; it is loaded when its command is used. */
import type { SourceCommand } from './source-command.ts'

export const SOURCES: readonly SourceCommand[] = []
