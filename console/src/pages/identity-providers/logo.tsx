/** Our own simple logos of identity providers: letters in a coloured square. */
import { SPECS, type Template } from './templates.ts'

/** The logo, beside the name of the provider; hidden from screen readers. */
export function ProviderLogo({ template, size = 28 }: { readonly template: Template; readonly size?: number }) {
  const { letter, color } = SPECS[template]
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false" style={{ flex: 'none' }}>
      <rect width="32" height="32" rx="7" fill={color} />
      <text
        x="16"
        y="21.5"
        textAnchor="middle"
        fontFamily="system-ui, sans-serif"
        fontWeight="700"
        fontSize={letter.length > 1 ? 14 : 17}
        fill="#ffffff"
      >
        {letter}
      </text>
    </svg>
  )
}
