/** Downloads all events of a search as NDJSON, read page by page. */
import { useTransport } from '@connectrpc/connect-query'
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import { jsonLine } from '../../events/event-json.ts'
import { downloadText } from '../../parts/download.ts'
import { useFailureSentence } from '../../parts/failure-notice.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { AuditSearch } from './audit-search.ts'
import { exportEvents } from './read-events.ts'
import { auditTexts } from './texts/index.ts'

/** The button; while it reads, it counts and stops on a click. */
export function ExportButton({ search }: { readonly search: AuditSearch }) {
  const t = useTexts(auditTexts)
  const transport = useTransport()
  const sentence = useFailureSentence()
  const [count, setCount] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const stop = new AbortController()
    running.current = stop
    setCount(0)
    // Only text is kept, because a log can be long.
    const lines: string[] = []
    try {
      await exportEvents(transport, search, stop.signal, (events) => {
        for (const event of events) lines.push(jsonLine(event), '\n')
        setCount(lines.length / 2)
      })
      const day = new Date().toISOString().slice(0, 10)
      downloadText(`signet-events-${day}.ndjson`, lines.join(''), 'application/x-ndjson')
    } catch (error) {
      if (!stop.signal.aborted) notifications.show({ message: sentence(error), color: 'red' })
    }
    setCount(undefined)
  }
  return (
    <Button variant="default" onClick={() => (count === undefined ? void start() : running.current?.abort())}>
      {count === undefined ? t.export : t.exporting({ count })}
    </Button>
  )
}
