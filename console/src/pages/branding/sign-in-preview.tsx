/** A drawing of the hosted sign-in page. It follows the forms of sign-in settings and branding; nothing in it works. */
import { Text } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import type { Look } from './look.ts'
import { previewTexts } from './preview-texts.ts'
import classes from './sign-in-preview.module.css'

export interface PreviewedSignIn {
  readonly hasPassword: boolean
  readonly hasPasskeys: boolean
  readonly hasRegistration: boolean
  readonly hasPasswordReset: boolean
  /** The names on the buttons of identity providers. */
  readonly providers: readonly string[]
}

interface SignInPreviewProps {
  readonly signIn: PreviewedSignIn
  readonly look: Look
  readonly logoUrl?: string
  readonly fontFamily?: string
  readonly hasOurName?: boolean
  /** Shows what an error looks like. */
  readonly hasError?: boolean
}

/** The drawing, with a description for screen readers. */
export function SignInPreview(props: SignInPreviewProps) {
  const { signIn, look, logoUrl = '', fontFamily, hasOurName = true, hasError = false } = props
  const t = useTexts(previewTexts)
  const { hasPassword, hasPasskeys, hasRegistration, hasPasswordReset, providers } = signIn
  const colors = { background: look.backgroundColor, color: look.fontColor, ...(fontFamily && { fontFamily }) }
  const button = { background: look.primaryColor, color: look.onPrimary }
  const link = { color: look.primaryColor }
  const parts = [
    hasPassword && t.password,
    hasPasskeys && t.passkey,
    ...providers,
    hasRegistration && t.register,
    hasPassword && hasPasswordReset && t.forgotten,
  ].filter(Boolean)
  return (
    <figure className={classes.figure} aria-label={`${t.label}: ${parts.join(', ')}`}>
      <div className={classes.page} style={colors} aria-hidden="true">
        {logoUrl !== '' && <img src={logoUrl} alt="" className={classes.logo} />}
        <p className={classes.title}>{t.title}</p>
        {(hasPassword || hasPasskeys) && <Field label={t.username} />}
        {hasPassword && <Field label={t.password} />}
        {hasError && (
          <p className={classes.error} style={{ color: look.warnColor }}>
            {t.wrong}
          </p>
        )}
        {hasPassword && (
          <p className={classes.button} style={button}>
            {t.signIn}
          </p>
        )}
        {hasPassword && hasPasswordReset && (
          <p className={classes.link} style={link}>
            {t.forgotten}
          </p>
        )}
        {hasPasskeys && (
          <p className={hasPassword ? classes.quietButton : classes.button} style={hasPassword ? {} : button}>
            {t.passkey}
          </p>
        )}
        {providers.map((name) => (
          <p key={name} className={classes.quietButton}>
            {t.with(name)}
          </p>
        ))}
        {hasRegistration && (
          <p className={classes.link} style={link}>
            {t.register}
          </p>
        )}
        {hasOurName && <p className={classes.name}>Signet</p>}
      </div>
      {parts.length === 0 && (
        <Text component="figcaption" size="sm" c="dimmed">
          {t.nothing}
        </Text>
      )}
    </figure>
  )
}

function Field({ label }: { readonly label: string }) {
  return (
    <div className={classes.field}>
      <span>{label}</span>
      <div className={classes.box} />
    </div>
  )
}
