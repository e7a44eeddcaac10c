/** Reads sign-ins, the newest first, page by page. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { callUnaryMethod, useTransport } from '@connectrpc/connect-query'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  type ListSignInsRequest,
  type ListSignInsRequestSchema,
  SignInService,
} from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import {
  FAILURES,
  type FailureName,
  METHODS,
  type MethodName,
  OUTCOMES,
  type OutcomeName,
} from '../../sign-ins/names.ts'
import { momentOf, startOf } from './moments.ts'
import type { SignInSearch } from './sign-in-search.ts'

const PAGE_SIZE = 50

export type SignInFilter = Exclude<MessageInitShape<typeof ListSignInsRequestSchema>, ListSignInsRequest>

/** The request of a search. Without an organization in it, that of the header decides. */
export function signInFilterOf(search: SignInSearch, chosenOrganization: string | undefined, offset = 0): SignInFilter {
  const { user, application, organization, outcome, method, failure, range, since, until } = search
  const [from, to] = [startOf(range) ?? momentOf(since), momentOf(until)]
  return {
    pagination: { offset: BigInt(offset), limit: PAGE_SIZE },
    userId: user ?? '',
    applicationId: application ?? '',
    organizationId: organization ?? chosenOrganization ?? '',
    outcome: OUTCOMES[outcome as OutcomeName] ?? 0,
    method: METHODS[method as MethodName] ?? 0,
    failure: FAILURES[failure as FailureName] ?? 0,
    ...(from && { since: from }),
    ...(to && { until: to }),
  }
}

/** The sign-ins of a search. */
export function useSignIns(search: SignInSearch, chosenOrganization: string | undefined) {
  const transport = useTransport()
  return useInfiniteQuery({
    queryKey: ['sign-ins', search, chosenOrganization ?? ''],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset, signal }) => {
      const request = signInFilterOf(search, chosenOrganization, offset)
      return (await callUnaryMethod(transport, SignInService.method.listSignIns, request, { signal })).signIns
    },
    getNextPageParam: (page, pages) => (page.length < PAGE_SIZE ? undefined : pages.flat().length),
    structuralSharing: false,
  })
}
