/** The menu of the signed-in user: appearance, language, account page, sign-out. */

import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { PATHS } from '../../../src/kernel/page-paths.ts'
import { useMe } from '../access/me.tsx'
import { Icon } from '../parts/icons.tsx'
import { signOut } from '../session/sign-in.ts'
import { LANGUAGES, type Language, useLanguage, useTexts } from '../texts/index.tsx'
import { shellTexts } from './texts/index.ts'

const SCHEMES = { auto: 'screen', light: 'sun', dark: 'moon' } as const

/** The button with the menu. */
export function UserMenu() {
  const t = useTexts(shellTexts)
  const me = useMe()
  const { language, setLanguage } = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const check = (isChosen: boolean) => isChosen && <Icon name="check" size={16} />
  return (
    <Menu shadow="md" position="bottom-end" width={240} keepMounted={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label={t.userMenu({ name: me.displayName })}>
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.displayName}</Menu.Label>
        <Menu.Item component="a" href={PATHS.account} leftSection={<Icon name="settings" size={16} />}>
          {t.account}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t.appearance}</Menu.Label>
        {(['auto', 'light', 'dark'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            leftSection={<Icon name={SCHEMES[scheme]} size={16} />}
            rightSection={check(colorScheme === scheme)}
          >
            {t.schemes[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t.language}</Menu.Label>
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <Menu.Item
            key={tag}
            lang={tag}
            onClick={() => setLanguage(tag as Language)}
            rightSection={check(language === tag)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={signOut} leftSection={<Icon name="signOut" size={16} />}>
          {t.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
