/**
 * The texts of text messages. They are short, because a message of more than 70 characters with an umlaut becomes two.
 * Pure.
 */

/** Purpose of a text message. */
export type SmsType = 'verify_phone' | 'password_reset' | 'one_time_code'

const TEXTS = {
  en: {
    verify_phone: (code: string) => `${code} is your code to verify this phone number.`,
    password_reset: (code: string) => `${code} is your code to reset your password. Do not share it.`,
    one_time_code: (code: string) => `${code} is your verification code. Do not share it.`,
  },
  de: {
    verify_phone: (code: string) => `${code} ist Ihr Code zur Bestätigung dieser Nummer.`,
    password_reset: (code: string) => `${code} ist Ihr Code für ein neues Passwort. Nicht weitergeben.`,
    one_time_code: (code: string) => `${code} ist Ihr Bestätigungscode. Nicht weitergeben.`,
  },
  fr: {
    verify_phone: (code: string) => `${code} est votre code pour confirmer ce numéro.`,
    password_reset: (code: string) => `${code} est votre code pour changer de mot de passe. Ne le partagez pas.`,
    one_time_code: (code: string) => `${code} est votre code de vérification. Ne le partagez pas.`,
  },
} as const satisfies Record<string, Record<SmsType, (code: string) => string>>

/** The text of a message in the language of the tag, else in the fallback language, else in English. */
export function smsText(type: SmsType, code: string, tag: string, fallback: string): string {
  const known = [tag, fallback]
    .map((one) => one.toLowerCase().split(/[-_]/, 1)[0])
    .find((language): language is keyof typeof TEXTS => language !== undefined && Object.hasOwn(TEXTS, language))
  return TEXTS[known ?? 'en'][type](code)
}
