"""The sentences of lesson 17, each list written before any of it was given to the model, and not changed since.

Each of the two lists about he and she names a man first in every second sentence, so that whoever always takes the
first name, or the last, is right in exactly half. In each pair about *it* one word decides, and the answer changes
with it (Levesque, Davis and Morgenstern, "The Winograd Schema Challenge", 2012).
"""

# (sentence with a gap for he or she, the man, the woman): to find a head with.
FIRST = [
    ("Tom called Anna before {} left the house.", "tom", "anna"),
    ("Mary thanked John because {} was so happy.", "john", "mary"),
    ("Paul wrote to Sarah while {} was in hospital.", "paul", "sarah"),
    ("Alice met Mark when {} came back from work.", "mark", "alice"),
    ("Peter told Emma that {} had won the race.", "peter", "emma"),
    ("Laura saw David as {} crossed the bridge.", "david", "laura"),
    ("James asked Helen whether {} could stay.", "james", "helen"),
    ("Susan drove George home after {} fell ill.", "george", "susan"),
    ("Robert visited Kate until {} moved away.", "robert", "kate"),
    ("Lucy helped Henry because {} had time.", "henry", "lucy"),
    ("Frank paid Jane before {} started the work.", "frank", "jane"),
    ("Ruth waited for Jack where {} had parked.", "jack", "ruth"),
    ("Adam danced with Clara although {} was tired.", "adam", "clara"),
    ("Julia reminded Daniel that {} was late.", "daniel", "julia"),
    ("Simon sat behind Rosa so {} could not see.", "simon", "rosa"),
    ("Nina shouted at Martin because {} was angry.", "martin", "nina"),
    ("Oliver found Grace just as {} gave up.", "oliver", "grace"),
    ("Eve cooked for Philip since {} came home early.", "philip", "eve"),
    ("Leo lost to Diana though {} had trained.", "leo", "diana"),
    ("Rachel followed Eric until {} stopped.", "eric", "rachel"),
]

# The same with other names and other verbs: to count with.
FRESH = [
    ("Walter painted Carol while {} listened to the radio.", "walter", "carol"),
    ("Linda beat Steve because {} played better.", "steve", "linda"),
    ("Kevin passed Amy the salt after {} sat down.", "kevin", "amy"),
    ("Nancy warned Brian that {} might fall.", "brian", "nancy"),
    ("Oscar taught Lisa until {} found a job.", "oscar", "lisa"),
    ("Emily hid from Victor when {} opened the door.", "victor", "emily"),
    ("Charles married Rose before {} turned thirty.", "charles", "rose"),
    ("Maria wrote to Thomas about what {} had seen.", "thomas", "maria"),
    ("Ben ran past Ellen as {} reached the gate.", "ben", "ellen"),
    ("Karen lent Joseph a coat because {} was kind.", "joseph", "karen"),
    ("Albert owed Betty money that {} never mentioned.", "albert", "betty"),
    ("Elizabeth left William once {} understood.", "william", "elizabeth"),
    ("Andrew sang for Sophie although {} was shy.", "andrew", "sophie"),
    ("Margaret woke Edward so that {} would not be alone.", "edward", "margaret"),
    ("Patrick hired Barbara when {} needed help.", "patrick", "barbara"),
    ("Claire photographed Louis where {} was born.", "louis", "claire"),
    ("Stephen admired Judith for how {} spoke.", "stephen", "judith"),
    ("Dorothy searched for Arthur since {} had the key.", "arthur", "dorothy"),
    ("Matthew interrupted Lily while {} was talking.", "matthew", "lily"),
    ("Charlotte forgave Richard after {} apologised.", "richard", "charlotte"),
    ("Samuel trusted Olivia, but {} told nobody.", "samuel", "olivia"),
    ("Sandra chose Michael, and {} was glad.", "michael", "sandra"),
    ("Gordon lived near Joan until {} bought a farm.", "gordon", "joan"),
    ("Hannah carried Luke because {} was in a hurry.", "luke", "hannah"),
]

# (sentence with a gap, a word with which *it* is the first thing, one with which it is the second, the two things)
PAIRS = [
    ("The piano did not fit through the door because it was too {}.", "wide", "narrow", "piano", "door"),
    ("The knife could not cut the rope because it was too {}.", "dull", "thick", "knife", "rope"),
    ("The truck could not cross the bridge because it was too {}.", "heavy", "weak", "truck", "bridge"),
    ("The cat caught the mouse because it was {}.", "fast", "slow", "cat", "mouse"),
    ("The stone broke the window because it was so {}.", "hard", "thin", "stone", "window"),
    ("The water ran from the bottle into the cup until it was {}.", "empty", "full", "bottle", "cup"),
    ("The horse could not pull the cart because it was too {}.", "tired", "heavy", "horse", "cart"),
    ("The oven melted the cheese because it was so {}.", "hot", "soft", "oven", "cheese"),
    ("The fish swallowed the worm because it was so {}.", "hungry", "delicious", "fish", "worm"),
    ("The lamp lit the whole room because it was so {}.", "bright", "small", "lamp", "room"),
    ("The nail did not go into the wood because it was too {}.", "bent", "hard", "nail", "wood"),
    ("The coat did not fit into the bag because it was too {}.", "thick", "small", "coat", "bag"),
    ("The bird could not lift the branch because it was too {}.", "weak", "heavy", "bird", "branch"),
    ("The wolf frightened the sheep because it was so {}.", "fierce", "shy", "wolf", "sheep"),
    ("The ladder did not reach the roof because it was too {}.", "short", "high", "ladder", "roof"),
    ("The car overtook the bus because it was {}.", "faster", "slower", "car", "bus"),
    ("The paint did not cover the wall because it was too {}.", "thin", "large", "paint", "wall"),
    ("The hammer broke the glass because it was so {}.", "heavy", "fragile", "hammer", "glass"),
    ("The rain filled the bucket because it was so {}.", "strong", "small", "rain", "bucket"),
    ("The magnet could not lift the box because it was too {}.", "weak", "heavy", "magnet", "box"),
]

# The same with other things, written before the model had read any: to count with, once head and reading are fixed.
FRESH_PAIRS = [
    ("The drum drowned the flute because it was so {}.", "loud", "quiet", "drum", "flute"),
    ("The boat could not pass under the bridge because it was too {}.", "tall", "low", "boat", "bridge"),
    ("The sword did not pierce the shield because it was too {}.", "blunt", "strong", "sword", "shield"),
    ("The sponge could not clean the pan because it was too {}.", "soft", "dirty", "sponge", "pan"),
    ("The spider caught the fly because it was so {}.", "quick", "careless", "spider", "fly"),
    ("The picture did not fit on the wall because it was too {}.", "large", "small", "picture", "wall"),
    ("The table did not fit into the kitchen because it was too {}.", "big", "small", "table", "kitchen"),
    ("The tractor could not climb the hill because it was too {}.", "slow", "steep", "tractor", "hill"),
    ("The plane could not land on the road because it was too {}.", "fast", "narrow", "plane", "road"),
    ("The ship could not enter the harbor because it was too {}.", "large", "shallow", "ship", "harbor"),
    ("The arrow missed the target because it was so {}.", "bent", "small", "arrow", "target"),
    ("The lion attacked the goat because it was so {}.", "hungry", "weak", "lion", "goat"),
    ("The tree shaded the garden because it was so {}.", "tall", "small", "tree", "garden"),
    ("The fire destroyed the forest because it was so {}.", "hot", "dry", "fire", "forest"),
    ("The chain could not hold the anchor because it was too {}.", "thin", "heavy", "chain", "anchor"),
    ("The horse won against the donkey because it was {}.", "faster", "slower", "horse", "donkey"),
    ("The letter did not fit into the envelope because it was too {}.", "long", "small", "letter", "envelope"),
    ("The needle did not go through the leather because it was too {}.", "dull", "tough", "needle", "leather"),
    ("The music woke the baby because it was so {}.", "loud", "nervous", "music", "baby"),
    ("The crane could not lift the statue because it was too {}.", "weak", "heavy", "crane", "statue"),
]

# To look for simple patterns in; in each a word comes twice.
ORDINARY = [
    "The old man painted the old house.",
    "We walked to the river and swam in the river.",
    "A red bus followed a blue bus through town.",
    "My sister bakes bread, and my brother eats the bread.",
    "If you see the teacher, give the teacher this letter.",
    "Rain fell on Monday, and more rain fell at night.",
    "The train to Paris left before the train to Rome.",
    "He reads a book a week, but never the same book twice.",
    "Snow covers the garden, the road and the garden wall.",
    "Some people like coffee; other people drink tea.",
    "The doctor called the patient, and the patient answered.",
    "Every summer we miss the summer before.",
    "She put the green cup beside the other green plate.",
    "One door was open, the next door was locked.",
    "Her voice was low, but his voice was lower.",
    "The committee read the report and rejected the report.",
]
