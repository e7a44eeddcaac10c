/** Everything that a text finds, in groups. Pages, settings and documentation are found at once, the rest is read from the server. */
import { useTransport } from '@connectrpc/connect-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../access/me.tsx'
import { useTargetOrganization } from '../../access/organization.tsx'
import { SHOWN, SOURCES } from '../../places/sources.ts'
import { useLanguage } from '../../texts/index.tsx'
import { findPlaces } from './find-places.ts'
import type { Found, FoundIn } from './found.ts'
import { readRecent } from './recent.ts'

const DEBOUNCE_MS = 200

export interface SearchResult {
  /** Only groups that found something. */
  readonly groups: readonly FoundIn[]
  /** Whether the answer about the text is still being read. */
  readonly isReading: boolean
  readonly error: Error | null
  refetch(): Promise<unknown>
}

/**
 * Each answer belongs to the text that it was asked for, so that one that comes late is never shown for another text. Until
 * the new one is there, nothing from the server is shown: Enter must not open what another text found.
 */
export function useSearch(text: string): SearchResult {
  const transport = useTransport()
  const { userId, permissions } = useMe()
  const organizationId = useTargetOrganization()
  const { language } = useLanguage()
  const [recent] = useState(() => readRecent(userId))
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS)
  const isSettled = settled === text
  const sources = SOURCES.filter(({ mayAsk }) => mayAsk(permissions, organizationId))
  const answers = useQueries({
    queries: sources.map(({ query, read }) => ({
      ...query(transport, text),
      enabled: isSettled && text !== '',
      select: read,
    })),
  })
  if (text === '') {
    const groups = recent.length > 0 ? [{ group: 'recent' as const, found: recent }] : []
    return { groups, isReading: false, error: null, refetch: async () => {} }
  }
  const groups: readonly FoundIn[] = [
    ...findPlaces(text, language, permissions, SHOWN),
    ...sources.map(({ group }, at) => ({ group, found: (answers[at]?.data as readonly Found[] | undefined) ?? [] })),
  ]
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    isReading: !isSettled || answers.some(({ isPending, error }) => isPending && error === null),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(answers.filter(({ error }) => error !== null).map(({ refetch }) => refetch())),
  }
}
