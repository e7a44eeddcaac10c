/** Downloads all rows of a search, read page by page: as CSV for a spreadsheet, or as NDJSON for a program. */
import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { writeCell } from '../../../../src/kernel/csv/csv-cell.ts'
import { downloadBlob } from '../../parts/download.ts'
import { useFailureSentence } from '../../parts/failure-notice.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { DownloadedRow } from './exported-rows.ts'
import { auditTexts } from './texts/index.ts'

interface DownloadButtonProps {
  /** What the name of the file begins with. */
  readonly name: string
  readonly headings: readonly string[]
  readPages(signal: AbortSignal): AsyncGenerator<readonly DownloadedRow[]>
}

const FORMS = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
type Form = keyof typeof FORMS

const csvLine = (cells: readonly string[]) => `${cells.map(writeCell).join(',')}\r\n`

/** The button; while it reads, it counts and stops on a click. */
export function DownloadButton({ name, headings, readPages }: DownloadButtonProps) {
  const t = useTexts(auditTexts)
  const sentence = useFailureSentence()
  const [count, setCount] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (form: Form) => {
    const stop = new AbortController()
    running.current = stop
    setCount(0)
    // Browsers keep the parts outside of the memory of the page.
    const parts = form === 'csv' ? [new Blob([csvLine(headings)])] : []
    let rows = 0
    try {
      for await (const page of readPages(stop.signal)) {
        parts.push(new Blob(page.map(({ json, cells }) => (form === 'csv' ? csvLine(cells) : `${json}\n`))))
        rows += page.length
        setCount(rows)
      }
      const day = new Date().toISOString().slice(0, 10)
      downloadBlob(`${name}-${day}.${form}`, new Blob(parts, { type: FORMS[form] }))
    } catch (error) {
      if (!stop.signal.aborted) notifications.show({ message: sentence(error), color: 'red' })
    }
    setCount(undefined)
  }
  if (count !== undefined) {
    return (
      <Button variant="default" onClick={() => running.current?.abort()}>
        {t.exporting({ count })}
      </Button>
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">{t.export}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void start('csv')}>{t.exportCsv}</Menu.Item>
        <Menu.Item onClick={() => void start('ndjson')}>{t.exportNdjson}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
