import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export interface AddressRules {
  /** The tool server of agent.yaml: its own host may be private, because the author named it. */
  server: URL;
  /** Further hosts that may be private, with or without a port. */
  allowedHosts: readonly string[];
}

/** An address of a login that we do not call. A TypeError, because the SDK goes on to guess after any other error. */
export class RefusedAddress extends TypeError {}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname.toLowerCase());
}

/**
 * Refuses an address that must not receive a secret: it needs https, or plain http to this machine. Addresses of
 * private networks, and of this machine for a server elsewhere, need to be listed.
 */
export function checkAddress(url: URL, rules: AddressRules): void {
  if (url.username || url.password) throw refuse(url, 'it contains a password');
  const isOpen = url.protocol === 'http:' && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isOpen) throw refuse(url, 'it is not https');
  if (isLoopback(url.hostname) && !mayBeLocal(url, rules)) throw refuse(url, 'it is on this machine');
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) && !isAllowed(literal, url, rules)) throw refuse(url, 'it is in a private network');
}

/** Resolves names for a connection. The address that was checked is the one that is called. */
export function createGuardedLookup(url: URL, rules: AddressRules): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const bad = found.find(({ address }) => !isAllowed(address, url, rules));
      const [first] = found;
      if (bad || !first) return callback(refuse(url, 'it is in a private network'), '');
      if (options.all) return callback(null, found);
      return callback(null, first.address, first.family);
    });
  };
}

function isAllowed(address: string, url: URL, rules: AddressRules): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (!PRIVATE.check(address, family)) return true;
  if (isListed(url, rules)) return true;
  return MACHINE.check(address, family) && isLoopback(url.hostname) && mayBeLocal(url, rules);
}

function mayBeLocal(url: URL, rules: AddressRules): boolean {
  return isLoopback(rules.server.hostname) || isListed(url, rules);
}

function isListed({ host, hostname }: URL, { server, allowedHosts }: AddressRules): boolean {
  return host === server.host || allowedHosts.some((listed) => [host, hostname].includes(listed.toLowerCase()));
}

function refuse({ protocol, host }: URL, why: string): RefusedAddress {
  return new RefusedAddress(`The address ${protocol}//${host} is not used for a login: ${why}.`);
}

const MACHINE = new BlockList();
MACHINE.addSubnet('127.0.0.0', 8, 'ipv4');
MACHINE.addAddress('::1', 'ipv6');

/** Networks that are not the public internet: IANA's special-purpose registries, with multicast and translations. */
const PRIVATE = new BlockList();
const PRIVATE_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
const PRIVATE_6 = ['::/128', '::1/128', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001:db8::/32', '2002::/16'];
const LOCAL_6 = ['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'];
for (const [family, list] of [
  ['ipv4', PRIVATE_4],
  ['ipv6', [...PRIVATE_6, ...LOCAL_6]],
] as const) {
  for (const network of list) {
    const [address = '', bits = ''] = network.split('/');
    PRIVATE.addSubnet(address, Number(bits), family);
  }
}
