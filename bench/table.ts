/** The one table: what was measured, how much, and its ratio to something measured in the same run. */

export interface Row {
  readonly what: string
  readonly figure: string
  /** Share of `of`; undefined when the row is what others are compared with. */
  readonly ratio?: number
  readonly of?: string
  readonly aim?: string
  readonly note?: string
}

const HEAD = ['what', 'figure', 'ratio', 'of', 'aim', 'note'] as const

export function printTable(rows: readonly Row[]): void {
  const cells = rows.map((row) => [
    row.what,
    row.figure,
    row.ratio === undefined ? '' : `${(row.ratio * 100).toFixed(0)} %`,
    row.of ?? '',
    row.aim ?? '',
    row.note ?? '',
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
