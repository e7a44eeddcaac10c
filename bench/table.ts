/** The one table: what was measured, how much, and its ratio to something measured in the same run. */

export interface Row {
  readonly what: string
  readonly figure: string
  /** Share of `of`; undefined when the row is what others are compared with. */
  readonly ratio?: number
  readonly of?: string
  readonly aim?: string
  /** Of the rounds: their interquartile range as a share of their median. */
  readonly spread?: number | undefined
  /** Others are compared with it. It does the same work in each round, so that its spread tells how noisy the machine was. */
  readonly isBare?: boolean
  readonly note?: string
}

/** A row whose rounds spread more says so: its figure is not to be trusted. */
const NOISY = 0.2

const HEAD = ['what', 'figure', 'ratio', 'of', 'aim', 'spread', 'note'] as const

function percent(share: number | undefined): string {
  return share === undefined ? '' : `${(share * 100).toFixed(0)} %`
}

export function printTable(rows: readonly Row[]): void {
  const cells = rows.map((row) => [
    row.what,
    row.figure,
    percent(row.ratio),
    row.of ?? '',
    row.aim ?? '',
    percent(row.spread),
    [...((row.spread ?? 0) > NOISY ? ['NOISY rounds'] : []), ...(row.note ? [row.note] : [])].join(', '),
  ])
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => (row[column] as string).length)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd()
  console.log(line(HEAD))
  console.log(line(widths.map((width) => '-'.repeat(width))))
  for (const row of cells) console.log(line(row))
}

export function perSecond(count: number): string {
  return `${Math.round(count).toLocaleString('en-US').replaceAll(',', ' ')}/s`
}
