/** The sentences of signing in with identity providers, in Brazilian Portuguese. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: 'um provedor externo',
    signInWith: (name) => `Continuar com ${name}`,
    more: 'Mais formas de entrar',
    goOnWith: (name) => `Continuar com ${name}`,
    failed: {
      title: (name) => `Não foi possível entrar com ${name}`,
      text: 'O login demorou demais, já havia sido concluído ou não é permitido aqui. Nada foi alterado. Tente novamente.',
    },
    cancelled: {
      title: (name) => `Login com ${name} cancelado`,
      text: 'Nada foi alterado. Tente novamente ou use outra forma de entrar.',
    },
    unavailable: {
      title: (name) => `O login com ${name} não está disponível`,
      text: 'O provedor não está respondendo corretamente. Tente novamente em alguns minutos ou use outra forma de entrar.',
    },
    taken: {
      title: 'Esta conta já está vinculada',
      text: (name, account) =>
        `A conta ${name} “${account}” está vinculada a outro usuário. Para entrar com ela, saia primeiro.`,
    },
    unlinked: {
      title: (name) => `Esta conta ${name} não pode ser usada aqui`,
      text: (name, account) =>
        `A conta ${name} “${account}” não está vinculada a nenhum usuário. Peça acesso ao seu administrador.`,
    },
    back: 'Voltar ao login',
    link: {
      title: (name) => `Vincular sua conta ${name}?`,
      lead: (name, account, userName) =>
        `Você entrou com a conta ${name} “${account}”. Se você a vincular, qualquer pessoa com acesso a ela poderá entrar como “${userName}”.`,
      yes: 'Vincular conta',
      no: 'Cancelar',
    },
    welcome: {
      title: 'Boas-vindas',
      lead: (name, account) => `Você entrou com a conta ${name} “${account}”.`,
      register: 'Confira seus dados para criar sua conta.',
      firstName: 'Nome',
      lastName: 'Sobrenome',
      userName: 'Nome de usuário',
      email: 'Endereço de e-mail',
      button: 'Criar conta',
      firstNameWrong: 'Digite um nome válido.',
      lastNameWrong: 'Digite um sobrenome válido.',
      userNameWrong:
        'Este nome de usuário não está disponível. Escolha outro. Você só pode usar um endereço de e-mail se for o seu.',
      emailWrong: 'Digite um endereço de e-mail válido.',
      known: 'Já tem uma conta?',
      knownText: 'Entre nela primeiro. Depois, você poderá vincular as duas contas.',
      knownOnly:
        'Para usá-la aqui, entre primeiro na sua conta existente. Depois, você poderá vincular as duas contas.',
      signIn: 'Entrar na sua conta',
    },
    account: {
      title: 'Contas vinculadas',
      lead: 'Entre com uma conta de outro provedor.',
      off: 'Indisponível no momento',
      link: (name) => `Vincular ${name}`,
      more: 'Mais provedores',
      other: 'Entrar com outra conta',
    },
  },
}
