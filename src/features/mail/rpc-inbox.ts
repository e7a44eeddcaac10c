/** The MailService methods for the development inbox and parked emails. Message texts are in `rpc-texts.ts`. */
import { type Duration, type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { MessageType as TypeMessage } from '../../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { type InboxMail, listInboxMails, removeInboxMails, waitForInboxMail } from './inbox.ts'
import { type InboxType, MESSAGE_TYPES, type MessageType } from './message-types.ts'
import { listParkedMails, type ParkedMail, resendParkedMails } from './queue.ts'

/** The numbers of the contract start with 1; 0 is unspecified. */
export function typeOf(type: TypeMessage): MessageType | undefined {
  return MESSAGE_TYPES[type - 1]
}
/** A type as the contract numbers it. */
export function typeMessage(type: InboxType): TypeMessage {
  return type === 'verify_phone' ? TypeMessage.VERIFY_PHONE : ((MESSAGE_TYPES.indexOf(type) + 1) as TypeMessage)
}

function inboxTypeOf(type: TypeMessage): InboxType | undefined {
  return type === TypeMessage.VERIFY_PHONE ? 'verify_phone' : typeOf(type)
}

function instantOf(timestamp: Timestamp | undefined): Instant | undefined {
  return timestamp === undefined ? undefined : instant(timestampMs(timestamp))
}

function mailMessage({ type, createdAt, ...mail }: InboxMail) {
  return {
    ...mail,
    type: typeMessage(type),
    createdAt: timestampFromMs(createdAt),
  }
}

function parkedMessage({ type, createdAt, parkedAt, ...mail }: ParkedMail) {
  return {
    ...mail,
    type: typeMessage(type),
    createdAt: timestampFromMs(createdAt),
    parkedAt: timestampFromMs(parkedAt),
  }
}

const DEFAULT_WAIT = 10_000

function millisecondsOf(duration: Duration | undefined, longest: number): number {
  return duration === undefined
    ? Math.min(DEFAULT_WAIT, longest)
    : Math.min(Number(duration.seconds) * 1000 + Math.ceil(duration.nanos / 1e6), longest)
}

/** The methods for the inbox and for parked emails. */
export function inboxMethods(app: App): readonly Method[] {
  return methods(MailService, {
    async listInboxMails({ pagination, recipient, since, type }) {
      const page = pageOf(pagination, 'pagination')
      const filter = { recipient, since: instantOf(since), type: inboxTypeOf(type) }
      const { mails, total } = await listInboxMails(app, { ...page, ...filter })
      return {
        pagination: { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) },
        mails: mails.map(mailMessage),
      }
    },
    async waitForMail({ recipient, after, timeout, type }, { signal }) {
      const mail = await waitForInboxMail(app, {
        recipient,
        type: inboxTypeOf(type),
        afterId: after.case === 'afterId' ? after.value : undefined,
        afterTime: after.case === 'afterTime' ? instantOf(after.value) : undefined,
        milliseconds: millisecondsOf(timeout, app.config.longestWaitMs),
        signal,
      })
      return mail === undefined ? {} : { mail: mailMessage(mail) }
    },
    deleteInboxMails: async ({ recipient }, call) => ({
      count: await removeInboxMails(app, { recipient }, call.origin),
    }),
    async listParkedMails({ pagination, recipient }) {
      const page = pageOf(pagination, 'pagination')
      const { mails, total } = await listParkedMails(app, { ...page, recipient })
      return {
        pagination: { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) },
        mails: mails.map(parkedMessage),
      }
    },
    resendParkedMails: async ({ ids }, call) => ({ count: await resendParkedMails(app, ids, call.at) }),
  })
}
