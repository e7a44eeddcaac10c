/** The MailService methods for message texts. */

import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { MessageType as TypeMessage } from '../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import type { MessageText as TextMessage } from '../../../contract/gen/signet/mail/v1/message_text_pb.ts'
import { MessageTextSource } from '../../../contract/gen/signet/mail/v1/message_text_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { reachIn } from '../../access/paths.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { languageOf } from '../../kernel/languages.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import type { Filter } from '../../store/index.ts'
import { requireOrganization } from '../organizations/index.ts'
import { messageTextId, messageTexts } from './documents.ts'
import { checkedLanguage, checkParts, customParts } from './message-texts.ts'
import { type CustomParts, isMessageType, MESSAGE_TYPES, type MessageType, PART_NAMES } from './message-types.ts'
import { mailRefusals } from './refusals.ts'
import { effectiveParts } from './render.ts'
import { typeMessage, typeOf } from './rpc-inbox.ts'

type Verb = 'read' | 'write' | 'delete'

function partsOf(message: TextMessage | undefined): CustomParts {
  return Object.fromEntries(
    PART_NAMES.flatMap((name) => {
      const text = name === 'preHeader' ? undefined : message?.[name]
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
}

/** The type of a request; throws for text messages that are in the inbox, which have no texts to set. */
function requireType(type: Parameters<typeof typeOf>[0]): MessageType {
  const found = typeOf(type)
  if (found !== undefined) return found
  const violations = [{ field: 'type', description: 'is no type of mail' }]
  throw refused(mailRefusals, 'mail.text_invalid', { violations })
}

/** The methods for message texts. */
export function textMethods(app: App): readonly Method[] {
  const { store, instanceId } = app
  /** The owner of the texts. Throws unless the organization exists and the caller has the permission. */
  const ownerOf = async (call: Call, organizationId: string, verb: Verb): Promise<string> => {
    const owner = organizationId === '' ? instanceId : organizationId
    call.authorize(owner)
    if (owner === instanceId) {
      if (!call.may(`iam.policy.${verb}`, owner)) throw refused(accessRefusals, 'access.forbidden')
      return owner
    }
    await requireOrganization(app, owner)
    return owner
  }

  return methods(MailService, {
    async getMessageText({ type, language, organizationId }, call) {
      const owner = await ownerOf(call, organizationId, 'read')
      const of = requireType(type)
      const checked = checkedLanguage(language)
      const owners = owner === instanceId ? [owner] : [owner, instanceId]
      const custom = await customParts(app, owners, { type: of, language: checked })
      const narrowest = owners[custom.findIndex((parts) => parts !== undefined)]
      return {
        text: effectiveParts(
          of,
          checked,
          custom.filter((parts) => parts !== undefined),
        ),
        source:
          narrowest === undefined
            ? MessageTextSource.BUILT_IN
            : narrowest === instanceId
              ? MessageTextSource.INSTANCE
              : MessageTextSource.ORGANIZATION,
      }
    },
    async setMessageText({ type, language, organizationId, text }, call) {
      const owner = await ownerOf(call, organizationId, 'write')
      const of = requireType(type)
      const checked = checkedLanguage(language)
      const parts = partsOf(text)
      await checkParts(of, parts, 'text')
      const { value } = await store.write(call.origin, async (work) => {
        // Guarded, so that no text is set for an organization that is removed at the same time.
        if (owner !== instanceId) await requireOrganization(app, owner, work)
        const by = reachIn(owner, call.caller.grants)
        const command = { type: 'set', of, language: checked, parts, by } as const
        return work.decide(messageTexts, messageTextId(owner, of, checked), command, owner)
      })
      return { setDate: timestampFromMs(value.changedAt) }
    },
    async resetMessageText({ type, language, organizationId }, call) {
      const owner = await ownerOf(call, organizationId, 'delete')
      const id = messageTextId(owner, requireType(type), checkedLanguage(language))
      const { at } = await store.write(call.origin, (work) => work.decide(messageTexts, id, { type: 'reset' }, owner))
      return { deletionDate: timestampFromMs(at) }
    },
    async listMessageTexts({ pagination, type, language, organizationId }, call) {
      const owner = await ownerOf(call, organizationId, 'read')
      const filters: Filter<'status' | 'type' | 'language'>[] = [
        { field: 'owner', equals: owner },
        { field: 'status', equals: 'set' },
        // Others are kept for clients that know them.
        { field: 'type', in: MESSAGE_TYPES },
      ]
      if (type !== TypeMessage.UNSPECIFIED) filters.push({ field: 'type', equals: requireType(type) })
      if (language !== '') filters.push({ field: 'language', equals: languageOf(language) ?? '' })
      const paging = pageOf(pagination, 'pagination')
      const page = await store.find(messageTexts, { where: { all: filters }, ...paging })
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(paging.limit) },
        texts: page.documents.flatMap(({ state, createdAt, changedAt }) =>
          state.status === 'set' && isMessageType(state.type)
            ? [
                {
                  type: typeMessage(state.type),
                  language: state.language,
                  organizationId: owner === instanceId ? '' : owner,
                  text: state.parts,
                  creationDate: timestampFromMs(createdAt),
                  changeDate: timestampFromMs(changedAt),
                },
              ]
            : [],
        ),
      }
    },
  })
}
