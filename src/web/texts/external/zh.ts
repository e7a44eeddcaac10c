/** The sentences of signing in with identity providers, in simplified Chinese. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: '第三方提供商',
    signInWith: (name) => `使用 ${name} 继续`,
    more: '更多登录方式',
    goOnWith: (name) => `使用 ${name} 继续`,
    failed: {
      title: (name) => `使用 ${name} 登录失败`,
      text: '登录耗时过长、已经完成或在此处不被允许。未做任何更改。请重试。',
    },
    cancelled: {
      title: (name) => `已取消使用 ${name} 登录`,
      text: '未做任何更改。请重试，或使用其他方式登录。',
    },
    unavailable: {
      title: (name) => `无法使用 ${name} 登录`,
      text: '该提供商未正确响应。请过几分钟后重试，或使用其他方式登录。',
    },
    taken: {
      title: '此账号已被关联',
      text: (name, account) => `${name} 账号“${account}”已关联到其他用户。如需用它登录，请先退出登录。`,
    },
    unlinked: {
      title: (name) => `此 ${name} 账号无法在此处使用`,
      text: (name, account) => `${name} 账号“${account}”未关联任何用户。请向您的管理员申请访问权限。`,
    },
    back: '返回登录',
    link: {
      title: (name) => `关联您的 ${name} 账号？`,
      lead: (name, account, userName) =>
        `您已使用 ${name} 账号“${account}”登录。关联后，任何能使用该账号的人都可以“${userName}”的身份登录。`,
      yes: '关联账号',
      no: '取消',
    },
    welcome: {
      title: '欢迎',
      lead: (name, account) => `您已使用 ${name} 账号“${account}”登录。`,
      register: '请核对您的信息以创建账号。',
      firstName: '名字',
      lastName: '姓氏',
      userName: '用户名',
      email: '邮箱地址',
      button: '创建账号',
      firstNameWrong: '请输入有效的名字。',
      lastNameWrong: '请输入有效的姓氏。',
      userNameWrong: '此用户名不可用，请换一个。只有您本人的邮箱地址才能用作用户名。',
      emailWrong: '请输入有效的邮箱地址。',
      known: '已有账号？',
      knownText: '请先登录该账号，然后即可关联这两个账号。',
      knownOnly: '如需在此处使用，请先登录您现有的账号，然后即可关联这两个账号。',
      signIn: '登录您的账号',
    },
    account: {
      title: '已关联的账号',
      lead: '使用其他提供商的账号登录。',
      off: '目前不可用',
      link: (name) => `关联 ${name}`,
      more: '更多提供商',
      other: '使用其他账号登录',
    },
  },
}
