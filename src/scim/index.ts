/**
 * SCIM 2.0 (RFC 7643, 7644): directories feed the users of an organization in, at `/scim/v2/{organization}`. It translates
 * resources to the modules and decides nothing: the lists are theirs, and so is every rule.
 */
import type { RequestHead } from '../access/call.ts'
import type { AuthorizeProvisioning } from '../access/provisioning.ts'
import type { Page, PageAnswer, PageRequest, Pages } from '../http/page.ts'
import type { Fault } from '../http/protocols/errors.ts'
import { Refused } from '../kernel/refusal.ts'
import { Places } from '../kernel/share.ts'
import type { App } from '../module/app.ts'
import { serveBulk } from './bulk.ts'
import { DISCOVERY, discoveryDocument } from './discovery.ts'
import { errorAnswer, isCancelled, ScimError, scimErrorOf } from './errors.ts'
import { MAX_AT_ONCE, MOST_TOGETHER } from './limits.ts'
import { recordAnswer, type Serving } from './record.ts'
import { SCIM_PATH } from './resources.ts'
import { jsonAnswer, type Request, serveList, serveOne, serveSearch, verbOf, wrongVerb } from './serve.ts'
import { resourceTypes } from './types.ts'

export interface ScimOptions {
  readonly app: App
  readonly authorize: AuthorizeProvisioning
  readonly log: (fault: Fault) => void
}

function headOf(request: PageRequest): RequestHead {
  const { method: verb, path, requestId } = request
  return {
    verb,
    path,
    requestId,
    header: (name) => request.header(name),
    get signal() {
      return request.signal
    },
  }
}

const MEDIA_TYPES: ReadonlySet<string> = new Set(['*/*', 'application/*', 'application/json', 'application/scim+json'])

function isOurs(text: string): boolean {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((one) => one.startsWith('charset='))?.replaceAll(/^charset=|"/g, '')
  return MEDIA_TYPES.has(type) && (charset === undefined || charset === 'utf-8' || charset === 'utf8')
}

/** Of requests without a body, some clients send a type nevertheless. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Throws unless the caller sends and reads what we do. */
function checkTypes(request: PageRequest): void {
  const check = (name: string, status: number) => {
    const header = request.header(name)?.trim() ?? ''
    if (header === '' || header.split(',').some(isOurs)) return
    throw new ScimError(status, `${name} must be application/scim+json or application/json.`)
  }
  if (WITH_BODY.has(request.method)) check('content-type', 415)
  check('accept', 406)
}

/** What the server is cannot be filtered (RFC 7644 §4). */
function refuseFilter({ query }: PageRequest): void {
  if ([...query.keys()].some((name) => name.toLowerCase() === 'filter')) {
    throw new ScimError(403, 'This list cannot be filtered.')
  }
}

function notFound(): ScimError {
  return new ScimError(404, 'There is no such resource.')
}

/** The steps of a path behind `/scim/v2/`. */
function stepsOf(path: string): readonly string[] {
  try {
    return path
      .slice(SCIM_PATH.length + 1)
      .replace(/\/$/, '')
      .split('/')
      .map(decodeURIComponent)
  } catch {
    throw notFound()
  }
}

/** `/Me` is the caller, if it is a person of the organization (RFC 7644 §3.11). */
async function serveMe(request: Request): Promise<PageAnswer> {
  const { userId } = request.provisioner.caller
  const type = resourceTypes.find(({ schema }) => schema.name === 'User')
  if (type === undefined) throw notFound()
  try {
    return await serveOne(request, type, userId)
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'user.not_found') throw error
    throw new ScimError(
      501,
      '/Me is served to people of this organization; the caller is a machine user or belongs elsewhere.',
    )
  }
}

async function serve(request: Request, steps: readonly string[], log: (fault: Fault) => void): Promise<PageAnswer> {
  const [place = '', id, ...more] = steps
  if (more.length > 0) throw notFound()
  if (place === 'Bulk' && id === undefined) return serveBulk(request, log)
  if (place === 'Me' && id === undefined) return serveMe(request)
  if (place === '.search') throw new ScimError(501, 'Search below a type of resource, such as /Users/.search.')
  const type = resourceTypes.find(({ schema }) => schema.endpoint === `/${place}`)
  if (type === undefined) throw notFound()
  if (id === undefined) return serveList(request, type)
  return id === '.search' ? serveSearch(request, type) : serveOne(request, type, id)
}

function tooMany(): ScimError {
  return new ScimError(429, `At most ${MAX_AT_ONCE} requests at once.`, undefined, { 'retry-after': '1' })
}

function scimPage({ app, authorize, log }: ScimOptions): Page {
  const places = new Places(MOST_TOGETHER, MOST_TOGETHER, MAX_AT_ONCE)
  const schemas = resourceTypes.map(({ schema }) => schema)
  const answer = async (page: PageRequest, serving: Serving): Promise<PageAnswer> => {
    const [organizationId = '', ...steps] = stepsOf(page.path)
    if (organizationId.length > 200) throw notFound()
    checkTypes(page)
    if (DISCOVERY.has(steps[0] ?? '')) {
      if (verbOf(page) !== 'GET') throw wrongVerb('GET')
      refuseFilter(page)
      const document = discoveryDocument(app, organizationId, schemas, steps)
      if (document === undefined) throw notFound()
      return jsonAnswer(200, document)
    }
    serving.organizationId = organizationId
    const provisioner = await authorize(headOf(page), organizationId)
    const { userId, organizationId: home } = provisioner.caller
    serving.callerId = userId
    return places.run([home, userId], tooMany, () => serve({ app, provisioner, page }, steps, log))
  }
  return {
    async answer(page) {
      const beganAt = performance.now()
      const serving: Serving = { organizationId: '', callerId: '' }
      const answered = await answer(page, serving).catch((error: unknown) => {
        if (isCancelled(error)) throw error
        return errorAnswer(scimErrorOf(error, page.requestId, log), page)
      })
      recordAnswer(app, page, serving, answered, beganAt)
      return answered
    },
  }
}

/** The pages of SCIM. */
export function scimPages(options: ScimOptions): Pages {
  return new Map([[`${SCIM_PATH}/*`, scimPage(options)]])
}
