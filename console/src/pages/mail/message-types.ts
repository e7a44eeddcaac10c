/** The purposes of mails, by their names in addresses and texts. */
import { MessageType } from '../../../../contract/gen/signet/mail/v1/mail_pb.ts'
import type { MailTexts } from './texts/en.ts'

/** `verify_email` and the like, as the names in the contract. */
export function typeName(type: MessageType): string {
  const [name = 'unspecified'] = Object.entries(MessageType).find(([, value]) => value === type) ?? []
  return name.toLowerCase()
}

/** The type with this name; undefined when there is none. */
export function typeNamed(name: string): MessageType | undefined {
  const found = MessageType[name.toUpperCase() as keyof typeof MessageType]
  return found === MessageType.UNSPECIFIED ? undefined : found
}

/** The types whose texts can be changed; text messages have none. */
export const TEXT_TYPES: readonly MessageType[] = Object.values(MessageType).filter(
  (type) => type !== MessageType.UNSPECIFIED && type !== MessageType.VERIFY_PHONE,
)

/** What a mail is for, in words. */
export function typeLabel(type: MessageType, t: MailTexts): string {
  const name = typeName(type)
  return (t.types as Readonly<Record<string, string>>)[name] ?? name.replaceAll('_', ' ')
}
