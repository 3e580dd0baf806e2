export default { serverExternalPackages: ['holodeck'] };
