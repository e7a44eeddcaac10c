/** The form of the draft, beside its preview in light and dark. */
import { Checkbox, NativeSelect, SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { type LabelPolicy, ThemeMode } from '../../../../contract/gen/signet/policy/v1/appearance_pb.ts'
import { FormSection } from '../../parts/form-section.tsx'
import { usePolicy } from '../../parts/policy/use-policy.ts'
import { Section } from '../../parts/section.tsx'
import { useServerForm } from '../../parts/use-server-form.ts'
import { useTexts } from '../../texts/index.tsx'
import { AssetFields } from './asset-fields.tsx'
import { ColorFields } from './color-fields.tsx'
import { isColor } from './contrast.ts'
import { LABEL_POLICY } from './label-policy.ts'
import { type BrandingValues, COLORS, type ColorValues, fieldOf, lookOf, type Scheme } from './look.ts'
import { SignInPreview } from './sign-in-preview.tsx'
import { brandingTexts } from './texts/index.ts'
import { previewTexts } from './texts/preview/index.ts'

const MODES = {
  auto: ThemeMode.AUTO,
  light: ThemeMode.LIGHT,
  dark: ThemeMode.DARK,
} as const satisfies Record<BrandingValues['themeMode'], ThemeMode>

function colorsOf(policy: LabelPolicy): ColorValues {
  const names = COLORS.flatMap((name) => [fieldOf(name, 'light'), fieldOf(name, 'dark')])
  return Object.fromEntries(names.map((name) => [name, policy[name]])) as ColorValues
}

function valuesOf(policy: LabelPolicy): BrandingValues {
  const modes = Object.keys(MODES) as (keyof typeof MODES)[]
  return {
    ...colorsOf(policy),
    themeMode: modes.find((mode) => MODES[mode] === policy.themeMode) ?? 'auto',
    disableWatermark: policy.disableWatermark,
    hideLoginNameSuffix: policy.hideLoginNameSuffix,
  }
}

/** Loads the font of the brand, and answers its name as soon as it can be used. */
function useBrandFont(url: string): string | undefined {
  const [family, setFamily] = useState<string>()
  useEffect(() => {
    setFamily(undefined)
    if (url === '') return
    const face = new FontFace('brand-preview', `url(${JSON.stringify(url)})`)
    document.fonts.add(face)
    face.load().then(
      () => setFamily('brand-preview'),
      () => setFamily(undefined),
    )
    return () => {
      document.fonts.delete(face)
    }
  }, [url])
  return family
}

/** The form. */
export function BrandingForm({ policy: found }: { readonly policy: LabelPolicy }) {
  const t = useTexts(brandingTexts)
  const [scheme, setScheme] = useState<Scheme>('light')
  const valid = (value: unknown) => (value === '' || isColor(String(value)) ? null : t.colorInvalid)
  const names = Object.keys(colorsOf(found))
  const { form, problems, showError } = useServerForm<BrandingValues>({
    initialValues: valuesOf(found),
    validate: Object.fromEntries(names.map((name) => [name, valid])),
    paths: Object.fromEntries(Object.keys(valuesOf(found)).map((name) => [name, name])),
  })
  const policy = usePolicy(LABEL_POLICY, { onError: showError })
  const font = useBrandFont(found.fontUrl)
  const send = form.onSubmit(async ({ themeMode, disableWatermark, hideLoginNameSuffix, ...colors }) => {
    const message = { ...colors, disableWatermark, hideLoginNameSuffix, themeMode: MODES[themeMode] }
    if ((await policy.save(message)) !== undefined) form.resetDirty()
  })
  const logo = scheme === 'dark' ? found.logoUrlDark || found.logoUrl : found.logoUrl
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <Stack>
        <FormSection
          anchor="look"
          title={t.draft}
          problems={problems}
          mayWrite={policy.mayWrite}
          isRunning={policy.isRunning}
          isDirty={form.isDirty()}
          onSubmit={send}
          saveLabel={t.saveDraft}
        >
          <ColorFields form={form} scheme="light" />
          <ColorFields form={form} scheme="dark" />
          <NativeSelect
            label={t.themeMode}
            data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t.modes[value] }))}
            {...form.getInputProps('themeMode')}
          />
          <Checkbox label={t.hideName} {...form.getInputProps('disableWatermark', { type: 'checkbox' })} />
          <Checkbox
            label={t.hideSuffix}
            description={t.hideSuffixHint}
            {...form.getInputProps('hideLoginNameSuffix', { type: 'checkbox' })}
          />
        </FormSection>
        <AssetFields policy={found} isInstance={policy.isInstance} mayWrite={policy.mayWrite && !policy.isInherited} />
      </Stack>
      <Preview
        values={form.values}
        scheme={scheme}
        onScheme={setScheme}
        logoUrl={logo}
        {...(font !== undefined && { fontFamily: font })}
      />
    </SimpleGrid>
  )
}

interface PreviewProps {
  readonly values: BrandingValues
  readonly scheme: Scheme
  onScheme(scheme: Scheme): void
  readonly logoUrl: string
  readonly fontFamily?: string
}

function Preview({ values, scheme, onScheme, logoUrl, fontFamily }: PreviewProps) {
  const t = useTexts(brandingTexts)
  const { label } = useTexts(previewTexts)
  return (
    <Section title={t.preview} description={t.previewHint}>
      <SegmentedControl
        aria-label={label}
        data={[
          { value: 'light', label: t.modes.light },
          { value: 'dark', label: t.modes.dark },
        ]}
        value={scheme}
        onChange={(value) => onScheme(value as Scheme)}
      />
      <SignInPreview
        signIn={{
          hasPassword: true,
          hasPasskeys: true,
          hasRegistration: false,
          hasPasswordReset: true,
          providers: [],
        }}
        look={lookOf(values, scheme)}
        logoUrl={logoUrl}
        {...(fontFamily !== undefined && { fontFamily })}
        hasOurName={!values.disableWatermark}
        hasError
      />
    </Section>
  )
}
