/** The colours of one scheme, with a note where text would be hard to read. */
import { Alert, Fieldset, List, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../texts/index.tsx'
import { contrastOf, isColor, TEXT_CONTRAST } from './contrast.ts'
import { type BrandingValues, BUILT_IN, COLORS, fieldOf, lookOf, type Scheme } from './look.ts'
import { brandingTexts } from './texts/index.ts'

interface ColorFieldsProps {
  readonly form: UseFormReturnType<BrandingValues>
  readonly scheme: Scheme
}

/** The fields. Each has a box that opens the colour chooser of the browser. */
export function ColorFields({ form, scheme }: ColorFieldsProps) {
  const t = useTexts(brandingTexts)
  const legend = t.schemes[scheme]
  return (
    <Fieldset legend={legend} p="sm">
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {COLORS.map((name) => {
            const field = fieldOf(name, scheme)
            const value = form.values[field]
            const label = `${t.colors[name]}`
            return (
              <TextInput
                key={field}
                label={label}
                aria-label={`${label}, ${legend}`}
                placeholder={BUILT_IN[scheme][name]}
                maxLength={7}
                leftSection={
                  <input
                    type="color"
                    aria-label={t.choose({ name: `${label}, ${legend}` })}
                    value={isColor(value) ? longColor(value) : BUILT_IN[scheme][name]}
                    onChange={(event) => form.setFieldValue(field, event.currentTarget.value as never)}
                    style={{ width: 26, height: 26, padding: 0, border: 0, background: 'none' }}
                  />
                }
                leftSectionWidth={40}
                {...form.getInputProps(field)}
              />
            )
          })}
        </SimpleGrid>
        <ContrastNote form={form} scheme={scheme} />
      </Stack>
    </Fieldset>
  )
}

/** The chooser of browsers knows six digits alone. */
function longColor(color: string): string {
  return color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}` : color
}

function ContrastNote({ form, scheme }: ColorFieldsProps) {
  const t = useTexts(brandingTexts)
  const look = lookOf(form.values, scheme)
  const pairs = [
    [t.colors.fontColor, contrastOf(look.fontColor, look.backgroundColor)],
    [t.colors.primaryColor, contrastOf(look.primaryColor, look.backgroundColor)],
    [t.colors.warnColor, contrastOf(look.warnColor, look.backgroundColor)],
  ] as const
  // The built-in colours of buttons in the dark are not used for text.
  const isOwn = COLORS.some((name) => isColor(form.values[fieldOf(name, scheme)]))
  const low = isOwn ? pairs.filter(([, contrast]) => (contrast ?? 21) < TEXT_CONTRAST) : []
  if (low.length === 0) return null
  return (
    <Alert color="yellow" title={t.lowContrast}>
      <List size="sm">
        {low.map(([name, contrast]) => (
          <List.Item key={name}>{t.contrast({ name, value: (contrast ?? 1).toFixed(1) })}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
