import { EVERYDAY } from './everyday-words.ts';

/**
 * Words that speak of the same thing or the same act in requests: "diary" and `calendar`, "ring" and `call`. Each line is
 * one concept; a word may belong to several.
 */
const CONCEPTS = `
light lights lamp bulb lighting brightness dim brighten chandelier spotlight
heating heat heater warm warmth cold cool thermostat radiator temperature degrees celsius chilly boiler
conditioning aircon conditioner fan ventilation cool cooling
door gate entrance lock unlock bolt latch
shutter shutters blind blinds curtain curtains shade shades awning roller
vacuum hoover robot roomba sweep mop clean cleaning
laundry washing washer dryer dishwasher appliance wash
oven stove hob bake preheat cooker microwave
alarm wake snooze wakeup
timer countdown stopwatch
calendar diary agenda appointment event meeting schedule
meeting conference session call standup
reminder remind remember
call ring phone telephone dial
message text sms whatsapp chat dm
mail email mailbox inbox letter
contact contacts addressbook person
money cash euro euros dollar dollars pounds bucks quid amount
pay payment paid transfer wire remit spend spent
balance account bank savings
price cost costs fee fare charge expensive cheap worth
bill invoice receipt
music song track tune tunes album playlist artist band singer listen
radio station broadcast
television tv telly channel programme
movie film cinema flick theater theatre
volume loud louder quiet quieter sound mute
food dish meal pizza burger sushi pasta curry noodles eat hungry takeaway snack
restaurant bistro diner cafe
recipe cook cooking bake ingredient serving portion
menu canteen lunch dinner breakfast eat
grocery groceries supermarket shopping
cart basket trolley
parcel package shipment delivery deliver courier shipping
weather rain raining rainy snow snowing sunny forecast umbrella storm wind windy cloudy humid temperature
pollen allergy hayfever
air smog pollution
train rail railway connection departure
flight fly plane airline airport
bus tram metro subway underground departure transit
taxi cab ride uber lyft
route direction directions navigate way journey
trip travel journey tour
hotel accommodation lodging hostel inn motel stay
house apartment flat home lodging accommodation
car vehicle auto automobile
rent rental hire lease
bike bicycle cycle scooter
fuel petrol gasoline charging battery
medicine medication drug pill tablet prescription pharmacy chemist dose refill
doctor physician clinic gp dentist practitioner specialist
therapist psychologist psychiatrist counselor counsellor counseling therapy mental
hair haircut stylist hairdresser dresser salon barber beauty trim hairstylist
fitness workout exercise gym training run running jog steps
weight weigh kilos
book books novel read library
loan loans borrow lend
renew extend prolong extension
course class lecture lesson module subject
exam test grade result mark score
news headline headlines article press
stock stocks share shares ticker
currency exchange euros dollars pounds yen
add addition sum plus total
multiply times product multiplication
subtract minus difference subtraction
divide division quotient split
percent percentage share
translate translation language
note notes memo jot
task todo errand chore
file files document folder directory attachment
photo picture image pic snapshot
repository repo git branch commit
server host machine instance deployment
ticket issue bug complaint incident case
fault defect broken leak repair damage fault problem
concert show gig festival performance event play
seat ticket admission
user member person profile
password login credential signin
search find look lookup seek query
locate find discover
garden lawn plant plants water irrigation sprinkler flowers
pet dog cat vet
vacation leave holiday absence
employee staff colleague worker
customer client buyer
permission access right grant role
stop halt end finish terminate kill quit cancel
start begin launch run
skip next
refund return reimburse moneyback
tip gratuity
stream live broadcast
speaker loudspeaker handsfree
reserve reservation book booking
buy purchase order acquire
cancel call-off drop
move reschedule postpone shift push delay
rename name call
delete remove erase drop discard
create make new add enter open set
record log note enter write track
show display list see view
check verify inspect
change update modify edit adjust alter
send forward dispatch
tell say inform notify message post announce
shop store boutique outlet
size measurement fit
clothing clothes apparel garment shirt skirt dress jacket coat jeans trousers pants shoes sneakers hoodie
electronics phone laptop tablet headphones charger computer camera
color colour paint
stock inventory availability available
luggage suitcase baggage bag
floor storey level
meter reading consumption
distance far length miles kilometers
speed velocity fast
age old birthday born
word definition meaning define mean
joke funny laugh
game match play
team club squad
player athlete
picture draw drawing paint painting
poem story essay text generate
question ask query prompt
advice guidance suggestion recommend recommendation tip
event concert play show exhibition festival drama theater
place location spot venue address where
city town place
attraction sight landmark museum
visit attend
deposit withdraw withdrawal
card credit debit
insurance policy coverage
tax vat
subscription plan membership
device gadget
screen display monitor
wifi wireless network internet
backup copy
print printer
upload put
download fetch
open launch
play listen tune hear
humidity humid damp moisture
close shut
event appointment meeting class lesson course party dinner lunch brunch breakfast coffee tea wedding birthday anniversary rehearsal concert visit date interview dentist doctor session workshop training match evening
person contact recipient friend daughter son mother mum mom father dad wife husband brother sister grandma grandmother grandpa grandfather aunt uncle cousin nephew niece boss neighbour neighbor colleague gardener plumber landlord teacher babysitter
room kitchen bedroom bathroom hallway hall office study garage basement attic balcony patio porch nursery lounge parlour parlor cellar conservatory loft den pantry corridor living dining
dish food pizza margherita burger fries sushi ramen noodles pasta lasagna lasagne spaghetti curry kebab taco burrito salad sandwich soup steak wings dumplings falafel wrap pad thai risotto
product item article shirt tshirt hoodie jacket coat dress skirt jeans trousers pants shoes sneakers boots socks hat bag phone charger laptop headphones battery batteries lamp towel toy
drink coffee latte cappuccino espresso tea juice beer wine water soda
sport football soccer tennis basketball hockey golf swimming running cycling yoga
plant tree flower birch grass hazel
doctor podiatrist dermatologist cardiologist optician physiotherapist gynecologist pediatrician
cuisine italian chinese mexican indian thai japanese vegetarian vegan
dentist teeth tooth dental cavity filling
eye eyes vision glasses optician sight
skin rash mole dermatologist eczema
physio physiotherapist physiotherapy muscle
meals meal lunch dinner breakfast brunch restaurant food
travel train taxi flight fuel mileage parking hotel
equipment laptop monitor keyboard mouse headset hardware
training workshop seminar conference course
groceries grocery supermarket food
entertainment cinema concert netflix games streaming theatre
transport bus train taxi tram petrol fuel underground
restart reboot bounce relaunch
silence mute hush quiet snooze
revert undo rollback
deploy ship release rollout
freeze block suspend
invite add include
share access grant permission
restock reorder refill
invoice bill charge
weight weigh kilos kg
tyres tyre tires tire wheels
inspection mot checkup service
repair fix broken mend
save keep remember bookmark store favourite favorite
assign give hand pass delegate reassign
lyrics words text
increase raise bump boost
decrease lower reduce
approve accept confirm
reject decline refuse deny
resize shrink enlarge crop pixels
collect pickup
close resolve finish complete
subscribe follow join
checkout leave depart stay
breakage broken smashed damage broke cracked
guests guest coming attending visitors attendees
goal target aim hit reach
usage used consumption consume
housekeeping towels towel sheets pillows soap cleaning
viewing visit tour
table reservation seat
remind reminder chase nudge
invoice invoices bill
specials offers offer deal
loud noise noisy
plan schedule arrange book organise organize
mood feeling feel feelings emotion
stock left remaining inventory pieces
pin unpin stick
signup sign register enroll enrol join subscribe
`;

export const CONCEPT_LINES: readonly string[] = [CONCEPTS, EVERYDAY].flatMap((table) => table.trim().split('\n'));
