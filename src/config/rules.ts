import { checkAddress, checkHeaders } from '../kinds/check-entry.ts';
import type { ModelConfig, ServerConfig } from '../schema/agent.ts';
import { findPrice } from '../schema/price.ts';
import { keyVariables, providerFacts } from '../schema/provider.ts';
import { isLoopback } from '../schema/scalars.ts';
import type { Finding, Path } from '../yaml/problem.ts';
import type { Draft } from './check-shape.ts';
import { checkTeamLists } from './team-rules.ts';
import { checkTools } from './tool-rules.ts';

type Rule = (draft: Draft) => Finding[];

const RULES: readonly Rule[] = [
  (draft) => checkModel(draft.model, ['model']),
  (draft) => checkModel(draft.model?.fallback, ['model', 'fallback']),
  (draft) => checkTools(draft.tools),
  checkDomains,
  (draft) => checkServer(draft.server),
  checkDatabase,
  checkAddresses,
  checkTestCases,
  checkFormat,
  checkBudget,
  checkTeamLists,
];

/** Rules across several keys. Unreadable values are skipped. */
export function checkRules(draft: Draft): Finding[] {
  return RULES.flatMap((rule) => rule(draft));
}

type Model = Omit<ModelConfig, 'fallback'>;

function checkModel(model: Model | undefined, path: Path): Finding[] {
  if (!model) return [];
  if (model.provider === 'builtin') return checkBuiltinModel(model, path);
  const findings: Finding[] = [];
  const say = (key: string, message: string) => findings.push({ path: [...path, key], message });
  const { provider, name, endpoint, api_key, temperature } = model;
  if (name === undefined) say('name', `is missing; provider ${provider} needs the name of a model`);
  const { needsEndpoint = false } = providerFacts(provider);
  if (needsEndpoint && endpoint === undefined) say('endpoint', `is missing; provider ${provider} needs an address`);
  const keyNames = keyVariables(model).map((variable) => `${variable}=…`);
  if (keyNames.length > 0 && api_key === undefined)
    say('api_key', `is missing; export ${keyNames.join(' or ')}, or put it into .env next to the agent's file`);
  const isGemini = provider === 'google' || /gemini/i.test(name ?? '');
  if (isGemini && (temperature ?? 0) > 1) say('temperature', 'must be at most 1 for Gemini models');
  findings.push(...checkAddress(endpoint, [...path, 'endpoint']));
  return [...findings, ...checkModelHeaders(model, path), ...checkExtraBody(model, path)];
}

const OWN_HEADERS: readonly string[] = ['authorization', 'host'];

function checkModelHeaders({ headers = {} }: Model, path: Path): Finding[] {
  const own = Object.keys(headers).filter((name) => OWN_HEADERS.includes(name.toLowerCase()));
  const message = 'is set by HoloDeck, from api_key and endpoint; remove it';
  return [...own.map((name) => ({ path: [...path, 'headers', name], message })), ...checkHeaders(headers, path)];
}

const OWN_FIELDS: readonly string[] = ['messages', 'tools', 'model', 'stream'];

function checkExtraBody({ extra_body = {} }: Model, path: Path): Finding[] {
  return OWN_FIELDS.filter((field) => field in extra_body).map((field) => ({
    path: [...path, 'extra_body', field],
    message: 'is set by HoloDeck from the conversation and the other keys of model; remove it',
  }));
}

const OF_BUILTIN: readonly string[] = ['provider', 'temperature', 'max_tokens', 'timeout_seconds', 'fallback'];

function checkBuiltinModel(model: Model, path: Path): Finding[] {
  const message = 'the built-in model has none; set provider or remove the line';
  const set = Object.entries(model).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  return set.filter((key) => !OF_BUILTIN.includes(key)).map((key) => ({ path: [...path, key], message }));
}

function checkDomains({ domains }: Draft): Finding[] {
  const names = domains.map((domain) => domain?.name);
  const isWhole = !names.includes(undefined);
  return domains.flatMap((domain, index) => {
    if (!domain) return [];
    const path = ['domains', index];
    const twice = names.indexOf(domain.name) < index;
    const related = domain.related_domains.flatMap((other, position) => {
      const at = [...path, 'related_domains', position];
      if (other === domain.name) return [{ path: at, message: 'a domain is not related to itself; remove it' }];
      const isKnown = names.includes(other) || !isWhole;
      return isKnown ? [] : [{ path: at, message: 'no domain has this name; add the domain or remove it' }];
    });
    return [...(twice ? [{ path: [...path, 'name'], message: 'another domain has this name' }] : []), ...related];
  });
}

function checkServer(server: ServerConfig | undefined): Finding[] {
  if (!server) return [];
  const findings: Finding[] = [];
  if (!isLoopback(server.host) && !server.auth)
    findings.push({ path: ['server', 'host'], message: 'an address that others can reach needs server.auth' });
  const any = server.cors_origins.indexOf('*');
  const message = 'any page could act as you; list the origins or set server.auth';
  if (any !== -1 && !server.auth) findings.push({ path: ['server', 'cors_origins', any], message });
  return findings;
}

/** Checks addresses of the server's own settings; those of models and tools are checked with them. */
function checkAddresses({ server, observability }: Draft): Finding[] {
  return [
    ...checkAddress(server?.auth?.jwt.jwks_url, ['server', 'auth', 'jwt', 'jwks_url']),
    ...checkAddress(observability?.otlp_endpoint, ['observability', 'otlp_endpoint']),
  ];
}

/** The keys of the judges' models are those of the agent's own. */
function checkTestCases({ evaluations, test_cases, test_cases_file }: Draft): Finding[] {
  const metrics = (evaluations?.metrics ?? []).flatMap((metric, index) =>
    'model' in metric ? checkModel(metric.model, ['evaluations', 'metrics', index, 'model']) : [],
  );
  const both = test_cases !== undefined && test_cases_file !== undefined;
  const twice = both ? [{ path: ['test_cases_file'], message: 'test_cases is there too; keep one of them' }] : [];
  return [...checkModel(evaluations?.model, ['evaluations', 'model']), ...metrics, ...twice];
}

/** The built-in model answers in sentences. As a fallback it would end every such turn with an error. */
function checkFormat({ response_format, model }: Draft): Finding[] {
  if (response_format === undefined || !model) return [];
  const message = 'the built-in model answers in sentences, never in a format; set model.provider to another one';
  if (model.provider === 'builtin') return [{ path: ['response_format'], message }];
  return model.fallback?.provider === 'builtin' ? [{ path: ['model', 'fallback', 'provider'], message }] : [];
}

/** A limit of costs that nobody can compute would protect nobody. The built-in model costs nothing. */
function checkBudget({ budget = {}, model }: Draft): Finding[] {
  if (!model || Object.values(budget).every((limit) => limit === undefined)) return [];
  const message = 'is missing; budget needs the price of this model, in dollars per million tokens: { in: …, out: … }';
  const isUnpriced = (one: Model) => one.provider !== 'builtin' && findPrice(one) === undefined;
  return [
    ...(isUnpriced(model) ? [{ path: ['model', 'price'], message }] : []),
    ...(model.fallback && isUnpriced(model.fallback) ? [{ path: ['model', 'fallback', 'price'], message }] : []),
  ];
}

/** The value may hold a password, so no message shows it. */
function checkDatabase({ database }: Draft): Finding[] {
  if (database === undefined || /^postgres(ql)?:\/\/[^\s]+\/[^\s/]+$/i.test(database)) return [];
  const message =
    'must be postgres://user:password@host:port/database; leave the key out for SQLite in the data folder';
  return [{ path: ['database'], message }];
}
