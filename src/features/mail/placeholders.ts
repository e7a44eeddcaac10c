/** The placeholders that texts of emails can use. Pure. */
import { isNotice, type TextType } from './message-types.ts'

const ABOUT_THE_USER = [
  'FirstName',
  'LastName',
  'DisplayName',
  'UserName',
  'OrganizationName',
  'ApplicationName',
] as const
const PROOF = ['Code', 'Link'] as const

/** The parts of an email that a custom page can contain. */
export const PART_PLACES = ['Subject', 'Title', 'Greeting', 'Text', 'ButtonText', 'Footer'] as const

/** Names that clients of other products use, and ours. */
const ALIASES: Readonly<Record<string, string>> = {
  OTP: 'Code',
  URL: 'Link',
  PreferredLoginName: 'UserName',
  LoginName: 'UserName',
}

/** A text with our names of placeholders. */
export function withOwnPlaces(text: string): string {
  return text.replaceAll(/\{\{\s*\.([A-Za-z]+)\s*\}\}/g, (place, name: string) =>
    Object.hasOwn(ALIASES, name) ? `{{.${ALIASES[name]}}}` : place,
  )
}

/** Whether emails of this type contain a code or a link with a code. */
export function carriesProof(type: TextType): boolean {
  return type !== 'domain_claimed' && !isNotice(type)
}

/** The placeholders that texts of this type can use. */
export function placesOf(type: TextType): readonly string[] {
  if (type === 'verify_phone' || type === 'verify_sms_otp') return ['Code', 'Domain']
  if (type === 'domain_claimed') return [...ABOUT_THE_USER, 'Domain', 'TempUsername']
  return [...ABOUT_THE_USER, ...(carriesProof(type) ? PROOF : ['Detail'])]
}
