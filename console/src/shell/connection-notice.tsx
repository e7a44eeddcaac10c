/** Says that the server cannot be reached, and tries again: by itself every few seconds, or with a button. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useConnectionLost } from '../api/connection.ts'
import { isLost as isUnreachable } from '../api/errors.ts'
import { Icon } from '../parts/icons.tsx'
import { useTexts } from '../texts/index.tsx'
import { shellTexts } from './texts/index.ts'

const EVERY_MS = 5000

/** A notice above the page while the connection is lost. */
export function ConnectionNotice() {
  const t = useTexts(shellTexts)
  const isLost = useConnectionLost()
  const queries = useQueryClient()
  const retry = useCallback(() => queries.refetchQueries({ type: 'active' }), [queries])
  useEffect(() => {
    if (!isLost) return undefined
    const timer = setInterval(retry, EVERY_MS)
    return () => {
      clearInterval(timer)
      // One request that gets through ends the notice. Others may have given up just before it.
      const gaveUp = ({ state: { error } }: Query) => isUnreachable(error)
      void queries.refetchQueries({ type: 'active', predicate: gaveUp })
    }
  }, [isLost, retry, queries])
  if (!isLost) return null
  return (
    <Alert color="yellow" icon={<Icon name="offline" />} title={t.lost.title} mb="md">
      <Group justify="space-between">
        <Text size="sm">{t.lost.text}</Text>
        <Button size="xs" variant="default" onClick={retry}>
          {t.tryAgain}
        </Button>
      </Group>
    </Alert>
  )
}
