/**
 * The v1 methods for the texts of messages: for each of ten messages its built-in text and the custom one, which is set and
 * reset, for the instance and for the organization of the call. One mapping serves all of them.
 */
import type { DescMethod, DescMethodUnary, DescService, MessageInitShape } from '@bufbuild/protobuf'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { MessageCustomTextSchema } from '../../../contract/gen/signet/text/v1/text_pb.ts'
import type { Call } from '../../access/call.ts'
import type { Method } from '../../access/method.ts'
import { reachIn } from '../../access/paths.ts'
import type { Language } from '../../kernel/languages.ts'
import type { App } from '../../module/app.ts'
import { detailsV1 } from '../../module/details.ts'
import type { Work } from '../../store/index.ts'
import {
  type CustomParts,
  checkedLanguage,
  checkParts,
  effectiveParts,
  isMessageType,
  messageTextId,
  messageTexts,
  type TextType,
} from '../mail/index.ts'
import { requireOrganization } from '../organizations/index.ts'
import { smsTemplate } from '../sms/index.ts'

/** The messages as the methods name them, and as they are kept. */
const TYPES: Readonly<Record<string, TextType>> = {
  Init: 'init',
  PasswordReset: 'password_reset',
  VerifyEmail: 'verify_email',
  VerifyPhone: 'verify_phone',
  VerifySMSOTP: 'verify_sms_otp',
  VerifyEmailOTP: 'one_time_code',
  DomainClaimed: 'domain_claimed',
  PasswordlessRegistration: 'passkey_link',
  PasswordChange: 'password_changed',
  InviteUser: 'invitation',
}

const NAME = /^(GetDefault|GetCustom|SetDefault|SetCustom|ResetCustom)(\w+?)Message(Text|CustomText)(ToDefault)?$/

/** The message that a method is about; undefined when it is about none. */
export function textTypeOf(method: string): TextType | undefined {
  return TYPES[NAME.exec(method)?.[2] ?? '']
}

type TextMessage = MessageInitShape<typeof MessageCustomTextSchema>

/** What the requests have in common. */
interface TextRequest {
  readonly language: string
  readonly title?: string
  readonly preHeader?: string
  readonly subject?: string
  readonly greeting?: string
  readonly text?: string
  readonly buttonText?: string
  readonly footerText?: string
}

/** The parts that are given; an empty one is the built-in one. */
function partsOf({ language: _, footerText, ...rest }: TextRequest): CustomParts {
  const { title, preHeader, subject, greeting, text, buttonText } = rest
  const given = { title, preHeader, subject, greeting, text, buttonText, footer: footerText }
  return Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined && part !== ''))
}

function textOf({ footer, html: _, ...parts }: CustomParts) {
  return { ...parts, ...(footer !== undefined && { footerText: footer }) }
}

/** The text that applies when nothing is set. */
function builtIn(type: TextType, language: Language): CustomParts {
  if (type === 'init') return effectiveParts('invitation', language, [])
  if (isMessageType(type)) return effectiveParts(type, language, [])
  return type === 'domain_claimed' ? {} : { text: smsTemplate(type, language) }
}

interface TextOf {
  readonly owner: string
  readonly type: TextType
  readonly language: Language
}

async function customText(app: App, { owner, type, language }: TextOf): Promise<TextMessage> {
  const { store, instanceId } = app
  const owners = owner === instanceId ? [owner] : [owner, instanceId]
  for (const one of owners) {
    const document = await store.get(messageTexts, messageTextId(one, type, language))
    if (document?.state.status !== 'set') continue
    return { ...textOf(document.state.parts), details: detailsV1(document), isDefault: one !== owner }
  }
  return { ...textOf(builtIn(type, language)), details: { resourceOwner: instanceId }, isDefault: true }
}

/** Resets a text as part of a write, if it is set. */
async function resetIn(work: Work, id: string) {
  const before = await work.get(messageTexts, id)
  return before?.state.status === 'set' ? work.decide(messageTexts, id, { type: 'reset' }) : before
}

async function setText(app: App, call: Call, { owner, type, language }: TextOf, request: TextRequest) {
  const parts = partsOf(request)
  const isEmpty = Object.keys(parts).length === 0
  if (!isEmpty) await checkParts(type, parts, 'message')
  const id = messageTextId(owner, type, language)
  const { value } = await app.store.write(call.origin, async (work) => {
    // Guarded, so that no text is set for an organization that is removed at the same time.
    if (owner !== app.instanceId) await requireOrganization(app, owner, work)
    if (!isEmpty) {
      const by = reachIn(owner, call.caller.grants)
      return work.decide(messageTexts, id, { type: 'set', of: type, language, parts, by }, owner)
    }
    return resetIn(work, id)
  })
  return { details: value === undefined ? { resourceOwner: owner } : detailsV1(value) }
}

async function resetText(app: App, call: Call, { owner, type, language }: TextOf) {
  const id = messageTextId(owner, type, language)
  const { value } = await app.store.write(call.origin, (work) => resetIn(work, id))
  return { details: value === undefined ? { resourceOwner: owner } : detailsV1(value) }
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary'
}

function methodsOf(app: App, service: DescService, ownerOf: (call: Call) => string): readonly Method[] {
  return service.methods.filter(isUnary).flatMap((descriptor): readonly Method[] => {
    const [, verb] = NAME.exec(descriptor.name) ?? []
    const type = textTypeOf(descriptor.name)
    if (verb === undefined || type === undefined) return []
    const handle = async (message: unknown, call: Call): Promise<unknown> => {
      const request = message as TextRequest
      const of = { owner: ownerOf(call), type, language: checkedLanguage(request.language) }
      if (verb === 'GetDefault') return { customText: { ...textOf(builtIn(type, of.language)), isDefault: true } }
      if (verb === 'GetCustom') return { customText: await customText(app, of) }
      return verb === 'ResetCustom' ? resetText(app, call, of) : setText(app, call, of, request)
    }
    return [{ descriptor, handle }]
  })
}

/** The methods for the texts of messages, of the instance and of organizations. */
export function textMethodsV1(app: App): readonly Method[] {
  return [
    ...methodsOf(app, AdminService, () => app.instanceId),
    ...methodsOf(app, ManagementService, ({ organizationId }) => organizationId),
  ]
}
