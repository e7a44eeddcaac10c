/** Serves the messages of callers who are known: lists the tools that their token reaches, and calls them. */
import type { Authorize } from '../access/authorization.ts'
import type { Caller, RequestHead } from '../access/call.ts'
import type { Method } from '../access/method.ts'
import { doorUri } from '../features/resources/index.ts'
import type { PageAnswer, PageRequest } from '../http/page.ts'
import type { Fault } from '../http/protocols/errors.ts'
import type { Intercept } from '../http/protocols/interception.ts'
import type { App } from '../module/app.ts'
import { callTool } from './call-tool.ts'
import { answerPage, type Toolbox } from './library.ts'
import { type Tool, toolsOf } from './tools.ts'

const INSTRUCTIONS =
  'Tools of an identity server. Find users with list_users, see why a sign-in failed with list_sign_ins and ' +
  'explain_sign_in. What the user may not do is refused. Secrets and codes are never shown and cannot be sent.'

export interface CallerOptions {
  readonly app: App
  readonly methods: readonly Method[]
  readonly authorize: Authorize
  readonly intercept: Intercept | undefined
  readonly log: (fault: Fault) => void
  readonly caller: Caller
  readonly head: RequestHead
}

const known = new WeakMap<readonly Method[], ReadonlyMap<string, Tool>>()

/** The tools of an app, made when the first of them is asked for. */
function toolsFor(methods: readonly Method[]): ReadonlyMap<string, Tool> {
  const tools = known.get(methods) ?? toolsOf(methods)
  known.set(methods, tools)
  return tools
}

/** Answers a message. */
export async function answerCaller(
  { app, methods, authorize, intercept, log, caller: { reach }, head }: CallerOptions,
  request: PageRequest,
  body: unknown,
): Promise<PageAnswer | 'scope_missing'> {
  const tools = toolsFor(methods)
  let isScopeMissing = false
  const toolbox: Toolbox = {
    version: app.version,
    instructions: INSTRUCTIONS,
    list: () =>
      [...tools.values()]
        .filter(({ isReading }) => (isReading ? reach?.reads : reach?.changes))
        .map((tool) => tool.describe()),
    async call(name, input) {
      const tool = tools.get(name)
      const answer = tool && (await callTool({ authorize, intercept, log }, tool, input, head))
      isScopeMissing ||= answer?.failure?.id === 'access.scope_missing'
      return answer
    },
  }
  const answer = await answerPage(toolbox, request, doorUri(app), body)
  return isScopeMissing ? 'scope_missing' : answer
}
