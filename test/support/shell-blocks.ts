/** The shell commands that a page of the documentation shows, and what a comment above them says about running them. */

export interface ShellBlock {
  /** The page and the line of its first command. */
  readonly place: string
  readonly commands: string
  /** Why it is not run: `<!-- not run: needs a mail server -->`. */
  readonly notRun: string | undefined
  /** It starts a program that continues and answers at this address: `<!-- keeps running: http://localhost:3000 -->`. */
  readonly keepsRunning: string | undefined
}

const MARK = /^\s*<!-- (not run|keeps running): (\S.*?) -->$/

/** Blocks inside lists are indented. */
export function shellBlocks(page: string, text: string): readonly ShellBlock[] {
  const lines = text.split('\n')
  const blocks: ShellBlock[] = []
  for (const [index, line] of lines.entries()) {
    const indent = /^( *)```(?:sh|bash|shell|console)$/.exec(line)?.[1]
    if (indent === undefined) continue
    const end = lines.indexOf(`${indent}\`\`\``, index)
    if (end === -1) throw new Error(`${page}:${index + 1}: the block has no end`)
    const [, mark, words] = MARK.exec(lines[index - 1] ?? '') ?? []
    blocks.push({
      place: `${page}:${index + 2}`,
      commands: lines
        .slice(index + 1, end)
        .map((command) => command.replace(indent, ''))
        .join('\n'),
      notRun: mark === 'not run' ? words : undefined,
      keepsRunning: mark === 'keeps running' ? words : undefined,
    })
  }
  return blocks
}
