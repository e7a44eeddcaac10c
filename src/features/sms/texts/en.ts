/**
 * The texts of text messages in English. They are short, because a message of more than 70 characters with an umlaut becomes
 * two.
 */

export const en = {
  verify_phone: '{code} is your code to verify this phone number.',
  password_reset: '{code} is your code to reset your password. Do not share it.',
  one_time_code: '{code} is your verification code. Do not share it.',
} as const
