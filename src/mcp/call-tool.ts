/** A call of a tool: authorized, read, limited and handled like every other call of its method. */
import { toJson } from '@bufbuild/protobuf'
import type { Authorize } from '../access/authorization.ts'
import type { RequestHead } from '../access/call.ts'
import { serveMessage } from '../http/protocols/dispatch.ts'
import { type Failure, type Fault, failureOf, invalidFields } from '../http/protocols/errors.ts'
import type { Intercept } from '../http/protocols/interception.ts'
import { removeSecrets } from './secrets.ts'
import { secretIn, type Tool } from './tools.ts'

/** What a tool answers: JSON as text, or why there is none. */
export interface ToolAnswer {
  readonly text: string
  /** Undefined when the call succeeded. */
  readonly failure?: Failure
  /** The input was wrong in a way that the text explains. */
  readonly isWrong?: boolean
}

export interface ToolCalls {
  readonly authorize: Authorize
  readonly intercept: Intercept | undefined
  readonly log: (fault: Fault) => void
}

function sentenceOf({ id, message, violations = [] }: Failure): string {
  const fields = violations.map(({ field, description }) => `${field}: ${description}`)
  return [`${message} (${id})`, ...fields].join('\n')
}

/** Calls a tool for the caller of a request; never throws. */
export async function callTool(
  { authorize, intercept, log }: ToolCalls,
  tool: Tool,
  input: unknown,
  request: RequestHead,
): Promise<ToolAnswer> {
  const { served } = tool
  const { output } = served.method.descriptor
  try {
    const authorized = await authorize(served.method, request)
    const message = served.readValue(input)
    const secret = secretIn(tool, message)
    if (secret !== undefined)
      throw invalidFields([{ field: secret, description: 'is a secret, which tools do not take' }])
    const answer = await serveMessage({ served, authorized, head: request, intercept }, message)
    removeSecrets(output, answer)
    return { text: JSON.stringify(toJson(output, answer)) }
  } catch (error) {
    const failure = failureOf(error, request, served.name, log)
    return { text: sentenceOf(failure), failure }
  }
}
