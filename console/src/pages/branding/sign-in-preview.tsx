/** A drawing of the hosted sign-in page. It follows the forms of sign-in settings and branding; nothing in it works. */
import { Text } from '@mantine/core'
import type { Texts as PageTexts } from '../../../../src/web/texts/en.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import type { Look } from './look.ts'
import { usePageTexts } from './page-texts.ts'
import classes from './sign-in-preview.module.css'
import { previewTexts } from './texts/preview/index.ts'

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

/** The drawing, as soon as the texts of the page are there. */
export function SignInPreview(props: SignInPreviewProps) {
  const { data } = usePageTexts(useLanguage().language)
  return data && <Drawing {...props} texts={data} />
}

/** With a description for screen readers. */
function Drawing(props: SignInPreviewProps & { readonly texts: PageTexts }) {
  const { texts, signIn, look, logoUrl = '', fontFamily, hasOurName = true, hasError = false } = props
  const { label, nothing } = useTexts(previewTexts)
  const t = {
    ...texts.signIn,
    forgotten: texts.start.forgotten,
    register: texts.toApplication.register,
    with: texts.external.signInWith,
  }
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
    <figure className={classes.figure} aria-label={`${label}: ${parts.join(', ')}`}>
      <div className={classes.page} style={colors} aria-hidden="true">
        {logoUrl !== '' && <img src={logoUrl} alt="" className={classes.logo} />}
        <p className={classes.title}>{t.title}</p>
        {(hasPassword || hasPasskeys) && <Field label={t.name} />}
        {hasPassword && <Field label={t.password} />}
        {hasError && (
          <p className={classes.error} style={{ color: look.warnColor }}>
            {t.refused}
          </p>
        )}
        {hasPassword && (
          <p className={classes.button} style={button}>
            {t.button}
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
            {t.with({ providerName: name })}
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
          {nothing}
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
