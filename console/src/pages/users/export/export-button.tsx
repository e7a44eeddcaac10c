/** Downloads the users of the list as CSV, with its search and filters; machines are not part of it. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { useTransport } from '@connectrpc/connect-query'
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import type { SearchQuerySchema } from '../../../../../contract/gen/signet/user/v2/query_pb.ts'
import { downloadBlob } from '../../../parts/download.ts'
import { useFailureSentence } from '../../../parts/failure-notice.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { csvTexts } from '../import/texts/csv/index.ts'
import { exportUsers } from './export-users.ts'

/** The button; while it reads, it counts and stops on a click. */
export function ExportButton({ queries }: { readonly queries: readonly MessageInitShape<typeof SearchQuerySchema>[] }) {
  const t = useTexts(csvTexts)
  const transport = useTransport()
  const sentence = useFailureSentence()
  const [count, setCount] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const stop = new AbortController()
    running.current = stop
    setCount(0)
    try {
      const file = await exportUsers(transport, queries, stop.signal, setCount)
      downloadBlob(`signet-users-${new Date().toISOString().slice(0, 10)}.csv`, file)
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
