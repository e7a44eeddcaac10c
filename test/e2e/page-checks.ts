/** What every page must pass: axe in both color schemes, and everything within reach on narrow screens. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const ofPlaywright = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const AXE = readFileSync(ofPlaywright.resolve('axe-core/axe.min.js'), 'utf8')

export const DESKTOP = { width: 1280, height: 800 }
export const NARROW = {
  '200 % zoom': { width: 640, height: 400 },
  phone: { width: 390, height: 844 },
}

interface Finding {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds on a page or in a part of it, in both color schemes. Only contrast depends on the scheme. */
export async function violationsOn(page: Page, name: string, part = 'html'): Promise<readonly string[]> {
  const found: string[] = []
  // Once for each document: reading axe takes longer than running it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const violations = await page.evaluate(
      async ({ selector, rules }) => {
        const { axe } = globalThis as unknown as {
          axe: { run(...given: unknown[]): Promise<{ violations: Finding[] }> }
        }
        const options = { resultTypes: ['violations'], iframes: false, ...(rules && { runOnly: rules }) }
        // Colors change slowly; they start with the next frame.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        await Promise.allSettled(
          document
            .getAnimations()
            .map(({ effect, finished }) =>
              effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY ? undefined : finished,
            ),
        )
        const { violations: all } = await axe.run(document.querySelector(selector), options)
        return all.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 160)) }))
      },
      { selector: part, rules: colorScheme === 'dark' ? ['color-contrast'] : undefined },
    )
    for (const { id, nodes } of violations) found.push(`${name} (${colorScheme}): ${id}: ${nodes.join(' | ')}`)
  }
  return found
}

/** What cannot be reached on a page as wide as the window: parts beside it, a hidden tab, covered buttons and links. */
export function unreachableOn(page: Page, name: string): Promise<readonly string[]> {
  return page.evaluate(async (place) => {
    const problems: string[] = []
    // What follows the size of the window does so when the page is drawn: in the first frame, seen in the second.
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
    // The navigation closes slowly when the window becomes narrow.
    await Promise.allSettled(
      document
        .getAnimations()
        .map(({ effect, finished }) =>
          effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY ? undefined : finished,
        ),
    )
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) problems.push(`${place}: ${scrollWidth} pixels wide`)
    const isBeside = ({ left, right }: DOMRect) => left < -1 || right > clientWidth + 1
    const tab = document.querySelector('.scrolling-tabs :is([aria-selected=true], [aria-current])')
    if (tab !== null && isBeside(tab.getBoundingClientRect())) problems.push(`${place}: ${tab.textContent} is hidden`)
    for (const control of document.querySelectorAll('main :is(button, a[href])')) {
      if (!control.checkVisibility() || control.closest('.scrolling-tabs') !== null) continue
      control.scrollIntoView({ block: 'center', behavior: 'instant' })
      // A link of several lines is not in the middle of its box.
      const [box] = control.getClientRects()
      if (box === undefined || box.width === 0) continue
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
      const isOnTop = top !== null && (control.contains(top) || top.contains(control))
      if (isBeside(box) || !isOnTop) problems.push(`${place}: ${control.outerHTML.slice(0, 160)}`)
    }
    window.scrollTo(0, 0)
    return problems
  }, name)
}
