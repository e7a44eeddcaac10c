/** A mail with sample values, made by the same code that makes the real ones. */
import { labelsIn } from '../../../../src/features/mail/built-in-texts.ts'
import { type CustomParts, MESSAGE_TYPES, type MessageType } from '../../../../src/features/mail/message-types.ts'
import { placesOf } from '../../../../src/features/mail/placeholders.ts'
import { formatDuration, type MailValues, renderMail } from '../../../../src/features/mail/render.ts'
import type { Language } from '../../../../src/kernel/languages.ts'
import { fillPlaces } from '../../../../src/kernel/placeholders.ts'
import type { TextValues } from './text-values.ts'

const LINK = 'https://id.example.com/verify-email?code=K7Q4ZD' as NonNullable<MailValues['link']>

const SAMPLE = {
  displayName: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  userName: 'ada@example.com',
  organizationName: 'Example',
  applicationName: 'Example',
  link: LINK,
  code: 'K7Q4ZD',
  validForMinutes: 60,
} as const satisfies MailValues

function isMessageType(name: string): name is MessageType {
  return (MESSAGE_TYPES as readonly string[]).includes(name)
}

/** The placeholders that the texts of a type can use. */
export function placesOfType(name: string): readonly string[] {
  return isMessageType(name) ? placesOf(name) : []
}

/** The parts of the mail with their values, and the whole mail as plain text. */
export interface SampleMail {
  readonly parts: Readonly<Record<keyof TextValues, string>>
  readonly text: string
  readonly link: string
  readonly code: string
  readonly codeLabel: string
  readonly linkLabel: string
  readonly validity: string
}

/** The mail that these parts make. */
export function sampleMail(name: string, language: Language, values: TextValues): SampleMail | undefined {
  if (!isMessageType(name)) return undefined
  const hasProof = placesOf(name).includes('Code')
  const { link, code, validForMinutes, ...person } = SAMPLE
  const given: MailValues = hasProof ? SAMPLE : person
  const places = {
    DisplayName: person.displayName,
    FirstName: person.firstName,
    LastName: person.lastName,
    UserName: person.userName,
    OrganizationName: person.organizationName,
    ApplicationName: person.applicationName,
    ...(hasProof && { Code: code, Link: link }),
  }
  const labels = labelsIn(language)
  const parts = Object.fromEntries(Object.entries(values).map(([part, text]) => [part, fillPlaces(text, places)]))
  const { html: _, ...custom } = values
  return {
    parts: parts as SampleMail['parts'],
    text: renderMail(name, language, [custom satisfies CustomParts], given).text,
    link: hasProof ? link : '',
    code: hasProof ? code : '',
    codeLabel: labels.code,
    linkLabel: labels.link,
    validity: hasProof ? labels.validFor({ duration: formatDuration(validForMinutes, language) }) : '',
  }
}
