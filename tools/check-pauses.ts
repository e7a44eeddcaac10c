/**
 * Reports pauses of tests: on a busy machine a time is too short, on an idle one too long, so tests wait for conditions. A
 * pause between two looks at a condition is one inside a loop; any other says why above it: `// Pause: …`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reportProblems } from './problems.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const pause = /\bsleep\(|\bsetTimeout\(/
const loop = /\b(?:while|for) \(/

function indentOf(line: string): number {
  return line.search(/\S/)
}

/** The line that begins the block around a line. */
function blockOf(lines: readonly string[], index: number): string {
  const indent = indentOf(lines[index] ?? '')
  for (let above = index - 1; above >= 0; above--) {
    const line = lines[above] ?? ''
    if (line.trim() !== '' && indentOf(line) < indent) return line
  }
  return ''
}

function isExplained(lines: readonly string[], index: number): boolean {
  for (let above = index - 1; lines[above]?.trim().startsWith('//'); above--) {
    if (lines[above]?.includes('// Pause: ')) return true
  }
  return false
}

/** The pauses of a file without a condition and without a reason. */
export function pausesIn(text: string): readonly number[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (!pause.test(line) || line.startsWith('import ') || line.trim().startsWith('*')) return []
    const isFine = loop.test(line) || loop.test(blockOf(lines, index)) || isExplained(lines, index)
    return isFine ? [] : [index + 1]
  })
}

export const problems: readonly string[] = globSync('{src,test,tools,bench}/**/*.test.ts', {
  cwd: root,
  exclude: ['**/node_modules'],
})
  .sort()
  .flatMap((file) =>
    pausesIn(readFileSync(join(root, file), 'utf8')).map(
      (line) => `${file}:${line} waits for a time: wait for a condition, or say why above it (// Pause: …)`,
    ),
  )
if (import.meta.main) reportProblems(problems)
