/** docs/reference/page-texts.md: the texts of the hosted pages that can be changed, read from the code. */
import { builtInText, type CustomizableText, PAGE_TEXT_AREAS } from '../src/features/settings/page-texts/catalogue.ts'
import { textsIn } from '../src/web/language.ts'
import { type GeneratedFile, markdownTable, writeGenerated } from './generated-file.ts'

const AREAS: Readonly<Record<keyof typeof PAGE_TEXT_AREAS, string>> = {
  signIn: 'Sign-in',
  accounts: 'Choosing and confirming an account',
  secondFactor: 'Two-step verification',
  registration: 'Registration',
  password: 'Passwords',
  invitation: 'Invitation and email address',
  passkey: 'Passkeys',
  consent: 'Consent',
  signedOut: 'Signed out and start page',
}

function tableOf(texts: Readonly<Record<string, CustomizableText>>): string {
  const rows = Object.entries(texts).map(([key, text]) => [`\`${key}\``, text.part, builtInText(textsIn('en'), key)])
  return markdownTable(['Key', 'Part', 'Built-in text'], rows)
}

const areas = Object.entries(AREAS).map(
  ([area, title]) => `## ${title}\n\n${tableOf(PAGE_TEXT_AREAS[area as keyof typeof PAGE_TEXT_AREAS])}`,
)

const text = `# Texts of the hosted pages

This page is generated from the code by \`npm run gen\`. Do not edit it.

The console (Branding, Texts) and \`SettingsService\` (\`GetPageTexts\`, \`SetPageTexts\`, \`ResetPageTexts\`) change these texts,
for the instance and for each organization, in each language of the pages. Changes show at once. A text is a single line of
at most 500 characters, is shown as it is, and contains the placeholders of the built-in one. Pages have the texts of the
organization whose look they have; those of the consent page are always those of the user’s own organization, because the
organization of an application must not name the buttons that give it access.

${areas.join('\n')}`

export const page: GeneratedFile = { path: 'docs/reference/page-texts.md', text }

if (import.meta.main) writeGenerated(page)
