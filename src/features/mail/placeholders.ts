/** The placeholders that texts of emails can use. Pure. */
import { isNotice, type MessageType } from './message-types.ts'

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

/** Whether emails of this type contain a code or a link with a code. */
export function carriesProof(type: MessageType): boolean {
  return !isNotice(type)
}

/** The placeholders that texts of this type can use. */
export function placesOf(type: MessageType): readonly string[] {
  return [...ABOUT_THE_USER, ...(carriesProof(type) ? PROOF : ['Detail'])]
}
