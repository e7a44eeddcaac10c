/**
 * The texts of text messages. They are short, because a message of more than 70 characters with an umlaut becomes two.
 * Pure.
 */
import { DEFAULT_LANGUAGE, type Language, languageOf } from '../../kernel/languages.ts'
import type { SmsTextType } from '../mail/index.ts'

/** Purpose of a text message. */
export type SmsType = 'verify_phone' | 'password_reset' | 'one_time_code'

/** The texts by language. */
export const SMS_TEXTS: Readonly<Record<Language, Readonly<Record<SmsType, (code: string) => string>>>> = {
  en: {
    verify_phone: (code) => `${code} is your code to verify this phone number.`,
    password_reset: (code) => `${code} is your code to reset your password. Do not share it.`,
    one_time_code: (code) => `${code} is your verification code. Do not share it.`,
  },
  de: {
    verify_phone: (code) => `${code} ist Ihr Code zur Bestätigung dieser Nummer.`,
    password_reset: (code) => `${code} ist Ihr Code für ein neues Passwort. Nicht weitergeben.`,
    one_time_code: (code) => `${code} ist Ihr Bestätigungscode. Nicht weitergeben.`,
  },
  fr: {
    verify_phone: (code) => `${code} est votre code pour confirmer ce numéro.`,
    password_reset: (code) => `${code} est votre code pour changer de mot de passe. Ne le partagez pas.`,
    one_time_code: (code) => `${code} est votre code de vérification. Ne le partagez pas.`,
  },
  es: {
    verify_phone: (code) => `${code} es su código para verificar este número.`,
    password_reset: (code) => `${code} es su código para la nueva contraseña. No lo comparta.`,
    one_time_code: (code) => `${code} es su código de verificación. No lo comparta.`,
  },
  it: {
    verify_phone: (code) => `${code} è il codice per verificare questo numero.`,
    password_reset: (code) => `${code} è il codice per la nuova password. Non condividerlo.`,
    one_time_code: (code) => `${code} è il tuo codice di verifica. Non condividerlo.`,
  },
  pt: {
    verify_phone: (code) => `${code} é seu código para confirmar este número.`,
    password_reset: (code) => `${code} é seu código para a nova senha. Não compartilhe.`,
    one_time_code: (code) => `${code} é seu código de verificação. Não compartilhe.`,
  },
  pl: {
    verify_phone: (code) => `${code} to kod do potwierdzenia tego numeru.`,
    password_reset: (code) => `${code} to kod do zmiany hasła. Nie podawaj go nikomu.`,
    one_time_code: (code) => `${code} to kod weryfikacyjny. Nie podawaj go nikomu.`,
  },
  nl: {
    verify_phone: (code) => `${code} is je code om dit nummer te bevestigen.`,
    password_reset: (code) => `${code} is je code voor een nieuw wachtwoord. Deel hem met niemand.`,
    one_time_code: (code) => `${code} is je verificatiecode. Deel hem met niemand.`,
  },
  ja: {
    verify_phone: (code) => `この電話番号の確認コードは${code}です。`,
    password_reset: (code) => `パスワード再設定のコードは${code}です。他の人に教えないでください。`,
    one_time_code: (code) => `確認コードは${code}です。他の人に教えないでください。`,
  },
  zh: {
    verify_phone: (code) => `${code} 是用于验证此电话号码的验证码。`,
    password_reset: (code) => `${code} 是用于重置密码的验证码。请勿告诉他人。`,
    one_time_code: (code) => `${code} 是您的验证码。请勿告诉他人。`,
  },
}

/** The built-in text with a placeholder for the code. */
export function smsTemplate(type: SmsTextType, language: Language): string {
  return SMS_TEXTS[language][type === 'verify_phone' ? 'verify_phone' : 'one_time_code']('{{.Code}}')
}

/** The language of a message: that of the tag, else the fallback language, else English. */
export function smsLanguage(tag: string, fallback: string): Language {
  return languageOf(tag) ?? languageOf(fallback) ?? DEFAULT_LANGUAGE
}

/** The custom texts of messages, by what they are for. */
export const CUSTOM_TEXTS: Readonly<Partial<Record<SmsType, SmsTextType>>> = {
  verify_phone: 'verify_phone',
  one_time_code: 'verify_sms_otp',
}

/** The text of a message in the language of the tag, else in the fallback language, else in English. */
export function smsText(type: SmsType, code: string, tag: string, fallback: string): string {
  return SMS_TEXTS[smsLanguage(tag, fallback)][type](code)
}
