/** The cache of what was read. Reads are repeated only when the server could not be reached. */
import { QueryClient } from '@tanstack/react-query'
import { isLost } from './errors.ts'

/** Opens the cache. */
export function openQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) => isLost(error) && count < 2,
        // Soon, because the page says meanwhile that it is loading; after that, the notice tries again.
        retryDelay: 500,
        // A browser that believes to be offline still reaches a server on the same machine.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
