/** The SignInService. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type CountSignInsRequest,
  type ListSignInsRequest,
  SignInService,
} from '../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { instantOf } from '../../module/instants.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document, Filter } from '../../store/index.ts'
import { applicationForCaller, requireApplication } from '../applications/index.ts'
import { type Counted, countDays, rankApplications } from './counts.ts'
import type { SignIn } from './decider.ts'
import { refusedRequests, signIns } from './documents.ts'
import { summaryOf } from './explain.ts'
import {
  applicationMessage,
  FAILURES,
  keyOf,
  METHODS,
  namesFor,
  OUTCOMES,
  receivedMessage,
  signInMessage,
  stepMessage,
  surroundingsOf,
} from './messages.ts'
import { signInRefusals } from './refusals.ts'

type SignInFilter = Filter<keyof typeof signIns.fields & string>

const DEFAULT_DAYS = 7

/** Whether a list of the caller may show what an organization owns. */
function seesOwner(call: Call): (owner: string) => boolean {
  const owners = call.visibleOwners()
  return owners === 'all' ? () => true : (owner) => owners.includes(owner)
}

function requireEveryOrganization(call: Call): void {
  if (call.visibleOwners() !== 'all') throw refused(accessRefusals, 'access.forbidden')
}

/** The sign-in, for those who may see it. Only who may see all of them learns that one does not exist. */
async function signInFor(app: App, call: Call, id: string): Promise<Document<SignIn>> {
  const found = await app.store.get(signIns, id)
  if (found !== undefined) {
    call.authorize(found.owner)
    return found
  }
  requireEveryOrganization(call)
  throw refused(signInRefusals, 'sign_in.not_found')
}

function equals(field: keyof typeof signIns.fields & string, value: string | undefined): readonly SignInFilter[] {
  return value === undefined || value === '' ? [] : [{ field, equals: value }]
}

function filterOf(request: ListSignInsRequest, owners: 'all' | readonly string[]): SignInFilter {
  const { organizationId, userId, applicationId, outcome, method, failure, since, until } = request
  const named =
    organizationId === '' ? owners : owners === 'all' || owners.includes(organizationId) ? [organizationId] : []
  return {
    all: [
      ...(named === 'all' ? [] : [{ field: 'owner', in: named } as const]),
      ...equals('userId', userId),
      ...(applicationId === ''
        ? []
        : [
            {
              any: [
                ...equals('applicationId', applicationId),
                { field: 'otherApplications', contains: ` ${applicationId} ` } as const,
              ],
            },
          ]),
      ...equals('outcome', keyOf(OUTCOMES, outcome)),
      ...equals('method', keyOf(METHODS, method)),
      ...equals('reason', keyOf(FAILURES, failure)),
      ...(since === undefined ? [] : [{ field: 'createdAt', atLeast: instantOf(since) } as const]),
      ...(until === undefined ? [] : [{ field: 'createdAt', below: instantOf(until) } as const]),
    ],
  }
}

function applicationIdsOf({ applications, steps }: SignIn): readonly (string | undefined)[] {
  return [...applications, ...steps].map(({ applicationId }) => applicationId)
}

/** What is counted, after the permission there is checked. */
async function countedFor(app: App, call: Call, { scope }: CountSignInsRequest): Promise<Counted> {
  if (scope.case === 'applicationId') {
    const { id, owner } = await requireApplication(app, scope.value, undefined)
    call.authorize(owner)
    return { type: 'application', id }
  }
  if (scope.case === 'organizationId') {
    call.authorize(scope.value)
    return { type: 'organization', id: scope.value }
  }
  requireEveryOrganization(call)
  return { type: 'instance' }
}

async function lastSignIn({ store }: App, userId: string): Promise<Document<SignIn> | undefined> {
  const where = {
    all: [
      { field: 'userId', equals: userId },
      { field: 'outcome', equals: 'succeeded' },
    ],
  } as const
  return (await store.find(signIns, { where, orderBy: 'createdAt', descending: true, limit: 1 })).documents[0]
}

function signInRpc(app: App): Implementation<typeof SignInService> {
  return {
    async listSignIns(request, call) {
      const { offset, limit, descending } = pageOf(request.pagination, 'pagination')
      const where = filterOf(request, call.visibleOwners())
      const found = await app.store.find(signIns, { where, orderBy: 'createdAt', descending, offset, limit })
      const ids = found.documents.flatMap(({ state }) => state.applications.map(({ applicationId }) => applicationId))
      const around = await surroundingsOf(app, call, found.documents, ids)
      return {
        pagination: { totalResult: BigInt(found.total), appliedLimit: BigInt(limit) },
        signIns: found.documents.map((document) => signInMessage(document, around)),
      }
    },

    async getSignIn({ signInId }, call) {
      const found = await signInFor(app, call, signInId)
      const around = await surroundingsOf(app, call, [found], applicationIdsOf(found.state))
      return { signIn: signInMessage(found, around) }
    },

    async explainSignIn({ signInId }, call) {
      const found = await signInFor(app, call, signInId)
      const { state } = found
      const around = await surroundingsOf(app, call, [found], applicationIdsOf(state))
      return {
        signIn: signInMessage(found, around),
        summary: summaryOf(state),
        steps: state.steps.map((step) => stepMessage(step, around.names)),
        moreSteps: state.moreSteps,
      }
    },

    async countSignIns(request, call) {
      const counted = await countedFor(app, call, request)
      const period = { now: call.at, days: request.days || DEFAULT_DAYS }
      const offsetHours = Math.round(request.utcOffsetMinutes / 60)
      const [days, ranked] = await Promise.all([
        countDays(app, counted, { ...period, offsetHours }),
        counted.type === 'application'
          ? []
          : rankApplications(app, counted.type === 'organization' ? counted.id : undefined, period),
      ])
      const names = await namesFor(
        app,
        call,
        [],
        ranked.map(({ id }) => id),
      )
      return {
        days: days.map(({ start, succeeded, failed }) => ({
          start: timestampFromMs(start),
          succeeded: [...succeeded].map(([method, n]) => ({ method: METHODS[method], count: BigInt(n) })),
          failed: [...failed].map(([reason, n]) => ({ failure: FAILURES[reason], count: BigInt(n) })),
        })),
        applications: ranked.map(({ id, succeeded, failed }) => ({
          application: applicationMessage(id, names),
          succeeded: BigInt(succeeded),
          failed: BigInt(failed),
        })),
      }
    },

    async listLastSignIns({ userIds }, call) {
      const sees = seesOwner(call)
      const found = await Promise.all(userIds.map((userId) => lastSignIn(app, userId)))
      return {
        signIns: found.flatMap((document) => {
          if (document === undefined || !sees(document.owner)) return []
          const { id, state } = document
          const { userId = '', method = 'one_time_code', endedAt = state.startedAt } = state
          return [{ userId, date: timestampFromMs(endedAt), method: METHODS[method], signInId: id }]
        }),
      }
    },

    async listRefusedRequests({ applicationId }, call) {
      const application = await applicationForCaller(app, call, applicationId)
      const received = (await app.store.get(refusedRequests, application.id))?.state.received ?? []
      return { refusedRequests: received.map(receivedMessage) }
    },
  }
}

/** The methods of this module. */
export function signInMethods(app: App): readonly Method[] {
  return methods(SignInService, signInRpc(app))
}
